import type { JsonObject } from '../../../evidence/identity/json';
import { plural } from '../../format';
import { reportView } from './report-view';

/** One sentence about a run, from its report: what happened, never more than it shows. */
export function verdict(report: JsonObject): string {
  const view = reportView(report);
  if (view.rows.length === 0) return 'No representation is complete yet.';
  const candidates = view.rows.filter((row) => row.label !== null);
  const count = (label: string): number => candidates.filter((row) => row.label === label).length;
  const attempted = view.rows.map((row) => row.exact + row.equivalent + row.changing + row.rejected);
  const total = attempted.reduce((sum, each) => sum + each, 0);
  const exact = view.rows.reduce((sum, row) => sum + row.exact, 0);
  const head = `${exact} of ${plural(total, 'case')} exact over ${plural(view.rows.length, 'representation')}`;
  if (candidates.length === 0) return `${head}.`;
  const advancing = candidates.filter((row) => row.label === 'advance').map((row) => row.variant);
  const parts = [
    advancing.length === 0
      ? 'none advances'
      : `${advancing.join(', ')} ${advancing.length === 1 ? 'advances' : 'advance'}`,
    count('no_material_change') > 0 ? `${count('no_material_change')} without material change` : '',
    count('regression') > 0 ? plural(count('regression'), 'regression') : '',
    count('incompatible') > 0 ? `${count('incompatible')} incompatible` : '',
  ].filter((part) => part !== '');
  return `${head}; against the baseline ${parts.join(', ')}.`;
}
