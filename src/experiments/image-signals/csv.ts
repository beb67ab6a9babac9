import type { Definition } from './definition';
import type { SignalRecord } from './record';
import { keyOf } from './signals';

/** Fields of each statistic that get a column of their own; a share's count is under its predicate's name. */
const FIELDS = {
  mean: ['n', 'sum', 'value', 'pass'],
  share: ['total', 'value', 'pass'],
  components: ['min_area', 'count', 'components_total'],
} as const;

interface Column {
  readonly title: string;
  value(record: SignalRecord): unknown;
}

/** One table for all records of a definition: the columns do not depend on the files. RFC 4180, lines end in CR LF. */
export function csvColumns(definition: Definition): readonly Column[] {
  const plain = (title: string): Column => ({ title, value: (record) => Reflect.get(record, title) });
  const signals = definition.signals.flatMap((signal): Column[] => {
    const key = keyOf(signal);
    const fields: string[] =
      signal.statistic === 'share' ? [signal.where, ...FIELDS.share] : [...FIELDS[signal.statistic]];
    return fields.map((field) => ({
      title: `${key}_${field}`,
      value: (record) => ('error' in record ? null : Reflect.get(record.signals[key] ?? {}, field)),
    }));
  });
  return [
    ...['file', 'sha256', 'width', 'height', 'decoder', 'rgb_sha256'].map(plain),
    ...signals,
    { title: `${definition.mask}_total`, value: (record) => ('error' in record ? null : record.mask[1]) },
    plain('gates_passed'),
    plain('decoder_exact'),
    plain('definition'),
    {
      title: 'engine',
      value: (record) => ('error' in record ? null : `${record.engine.id} ${record.engine.version}`),
    },
    {
      title: 'warnings',
      value: (record) => ('error' in record ? null : record.warnings.map(({ code }) => code).join(' ')),
    },
    { title: 'error_code', value: (record) => ('error' in record ? record.error.code : null) },
    { title: 'error_message', value: (record) => ('error' in record ? record.error.message : null) },
  ];
}

export function csvHeader(columns: readonly Column[]): string {
  return `${columns.map(({ title }) => cell(title)).join(',')}\r\n`;
}

export function csvRow(columns: readonly Column[], record: SignalRecord): string {
  return `${columns.map((column) => cell(column.value(record))).join(',')}\r\n`;
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  // A text that a spreadsheet would run as a formula gets an apostrophe before it; file names come from outside.
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
