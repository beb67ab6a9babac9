import { serve } from './boundary/serve';

serve(() => import('./engine/self-check'));
