import { CATALOGUE } from './catalogue';
import { fileOf, type Subject } from './entry';

const [BEGIN, END] = ['<!-- schemas: begin -->', '<!-- schemas: end -->'];

function sayingOf(subject: Subject): string {
  if (subject.of === 'other') return subject.name;
  const where = subject.experiment === null ? '' : `, ${subject.experiment}`;
  return `\`${subject.name}\`${subject.lines ? ', each line' : ''}${where}`;
}

/** The page with its table written anew. Throws where the page has lost the marks of the table's place. */
export function withTable(page: string): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin === -1 || end < begin) throw new Error('docs/schemas.md has no place for the table.');
  const rows = CATALOGUE.map(
    (each) => `| \`${fileOf(each)}\` | ${each.subjects.map(sayingOf).join('; ').replaceAll('|', '\\|')} |`,
  );
  const table = ['', '', '| schema | of |', '|---|---|', ...rows, '', ''].join('\n');
  return page.slice(0, begin + BEGIN.length) + table + page.slice(end);
}
