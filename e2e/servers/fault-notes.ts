import { appendFileSync, mkdirSync } from 'node:fs';

/** Where `npm run test:doctor` finds what the doctor said in the tests. */
export const NOTES = new URL('../../build/reports/doctor.jsonl', import.meta.url);

/** Keeps what the doctor said about a fault, in a terminal or in a page. */
export function note(where: 'node' | 'page', fault: string, kind: string, code: string): void {
  mkdirSync(new URL('.', NOTES), { recursive: true });
  appendFileSync(NOTES, `${JSON.stringify({ where, fault, kind, code })}\n`);
}
