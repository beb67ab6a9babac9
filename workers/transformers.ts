import { serve } from './boundary/serve';

serve(() => import('./engine/transformers'));
