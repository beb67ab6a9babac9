import type { Finding } from '../../evidence/verify/finding';

/** The first line in which a file differs from what it should be, and where the line allows it, the field. */
export function firstDifference(path: string, expected: string, got: string): Finding | null {
  if (expected === got) return null;
  const should = expected.split('\n');
  const is = got.split('\n');
  let line = 0;
  while (line < should.length && line < is.length && should[line] === is[line]) line++;
  const [a, b] = [should[line] ?? 'end of file', is[line] ?? 'end of file'];
  const field = fieldOf(path, should[0] ?? '', a, b);
  return {
    level: 'failure',
    code: 'file_mismatch',
    where: `${path} line ${line + 1}${field === null ? '' : ` ${field}`}`,
    message: 'The file is not what the cases give.',
    expected: cut(a),
    got: cut(b),
  };
}

function fieldOf(path: string, header: string, a: string, b: string): string | null {
  if (path.endsWith('.csv')) {
    const cells = b.split(',');
    const column = a.split(',').findIndex((cell, i) => cell !== cells[i]);
    return header.split(',')[column]?.trim() ?? null;
  }
  if (path.endsWith('.jsonl')) return differingMember(a, b);
  return /^\s*"([^"]+)":/.exec(a)?.[1] ?? null;
}

function differingMember(a: string, b: string): string | null {
  try {
    const should = JSON.parse(a) as Record<string, unknown>;
    const is = JSON.parse(b) as Record<string, unknown>;
    const found = Object.keys({ ...should, ...is }).find(
      (key) => JSON.stringify(should[key]) !== JSON.stringify(is[key]),
    );
    return found ?? null;
  } catch {
    return null;
  }
}

function cut(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
