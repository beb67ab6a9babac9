import { placeOf } from './address';
import { pageFiles } from './page-files';

// What every page needs and the page that the address names are asked for together: one after the other would cost a slow
// line a round more.
void import('./start').then(({ startSite }) => startSite());
// What keeps a page from arriving is told where it would have been drawn.
void pageFiles
  .get(placeOf(location.hash).page)?.()
  .catch(() => undefined);
