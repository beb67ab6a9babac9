import type { JsonObject } from '../../../evidence/identity/json';
import type { ResultKind } from '../../../providers/provider';
import { plural } from '../../format';
import { reportView, type VariantRow } from './report-view';

const attempted = (row: VariantRow): number => row.exact + row.equivalent + row.changing + row.rejected;

/** One sentence about a run, from its report: what happened, never more than it shows. */
export function verdict(report: JsonObject, kind: ResultKind): string {
  const { rows, baseline } = reportView(report);
  if (rows.length === 0) return 'No representation is complete yet.';
  const total = rows.reduce((sum, row) => sum + attempted(row), 0);
  const exact = rows.reduce((sum, row) => sum + row.exact, 0);
  if (kind === 'wiring') {
    return exact === total
      ? `All ${plural(total, 'scripted answer')} came through exact, as they must: the wiring holds.`
      : `${total - exact} of ${plural(total, 'scripted answer')} did not come through exact: the wiring is broken.`;
  }
  const head = `${exact} of ${plural(total, 'case')} read exactly`;
  const labelled = (label: string): readonly VariantRow[] => rows.filter((row) => row.label === label);
  const names = labelled('advance').map((row) => row.variant);
  const unchanged = labelled('no_material_change').length;
  const worse = labelled('regression').length;
  const apart = labelled('incompatible').length;
  const parts = [
    names.length === 0
      ? 'nothing advances'
      : `${names.join(', ')} ${names.length === 1 ? 'advances' : 'advance'}`,
    unchanged > 0 ? `${unchanged} ${unchanged === 1 ? 'shows' : 'show'} no material change` : '',
    worse > 0 ? `${worse} ${worse === 1 ? 'regresses' : 'regress'}` : '',
    apart > 0 ? `${apart} cannot be compared` : '',
  ].filter((part) => part !== '');
  return rows.length === 1
    ? `${head}.`
    : `${head}. Against ${baseline ?? 'the baseline'}, ${parts.join(', ')}.`;
}
