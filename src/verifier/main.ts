import { containerBegun, HEAD_BYTES, LIMITS } from '../evidence/bundle';
import { type VerifyResult, verifyBundle } from '../evidence/verify';
import { outside, outsideIn } from '../outside-words';
import { el } from './element';

// The page that travels with a bundle. It knows the format and no experiment, so it stays one small file.

const part = (id: string): HTMLElement => document.getElementById(id) ?? document.body;
/** As many differences as somebody reads; the count says how many there are. */
const SHOWN = 50;

let turn = 0;

async function check(file: File): Promise<void> {
  turn += 1;
  const mine = turn;
  part('result').replaceChildren();
  part('result').className = '';
  part('status').textContent = `Checking ${outside(file.name)}…`;
  let told = 0;
  const result = await verifyBundle(await bytesOf(file), [], {
    unknownExperiment: 'warning',
    onProgress: ({ done, total }) => {
      if (mine !== turn || performance.now() - told < 200) return;
      told = performance.now();
      part('status').textContent = `Checking ${outside(file.name)}: ${done} of ${total} files`;
    },
  });
  // Another file was chosen while this one was checked.
  if (mine !== turn) return;
  part('status').textContent = '';
  show(outside(file.name), result);
}

/** Of a file that is too large or no bundle only the head: it is refused by that. */
async function bytesOf(file: File): Promise<Uint8Array<ArrayBuffer>> {
  const head = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  const begun = containerBegun(head);
  const most = begun === 'zip' ? LIMITS.zipBytes : LIMITS.jsonBytes;
  if (file.size > most) throw new Error(`It has ${file.size} bytes; at most ${most} can be opened.`);
  return begun === null ? head : new Uint8Array(await file.arrayBuffer());
}

function show(name: string, result: VerifyResult): void {
  const { ok, counts, experiment, kind, root_digest, record_digest } = result;
  const told = result.findings.filter(({ level }) => level !== 'pass');
  part('result').className = ok ? 'ok' : '';
  part('result').replaceChildren(
    el('p', {}, [
      el('strong', {}, [ok ? `✓ ${name} is whole and agrees with itself` : `✕ ${name} does not verify`]),
      `: ${counts.pass} checks over ${counts.files} files, ${counts.failure} differences.`,
    ]),
    el('dl', {}, [
      ...fact('Experiment', experiment ?? 'not known'),
      ...fact('Kind', kind ?? 'not known'),
      ...fact('Cases', String(counts.cases)),
      ...fact('Root digest: what was found', root_digest.got ?? 'could not be computed', 'digest'),
      ...fact('Record digest: this very record', record_digest.got ?? 'could not be computed', 'digest'),
    ]),
    el(
      'ol',
      {},
      told.slice(0, SHOWN).map(({ where, message, expected, got, code }) => {
        const sides =
          expected === undefined && got === undefined
            ? ''
            : ` Expected ${expected ?? '–'}, came ${got ?? '–'}.`;
        return el('li', {}, [
          el('strong', {}, [outsideIn(where)]),
          outsideIn(`: ${message}${sides} `),
          el('code', {}, [code]),
        ]);
      }),
    ),
  );
  if (told.length > SHOWN) part('result').append(el('p', {}, [`And ${told.length - SHOWN} more.`]));
}

function fact(name: string, value: string, style = ''): HTMLElement[] {
  return [el('dt', {}, [name]), el('dd', { class: style }, [outsideIn(value)])];
}

function take(file: File | null | undefined): void {
  if (file === null || file === undefined) return;
  check(file).catch((error: unknown) => {
    part('status').textContent =
      `${outside(file.name)} could not be checked: ${outsideIn(error instanceof Error ? error.message : String(error))}`;
  });
}

const input = part('file') as HTMLInputElement;
input.addEventListener('change', () => take(input.files?.[0]));
// The whole page takes a file: one that misses the frame would otherwise replace this page.
addEventListener('dragover', (event) => {
  event.preventDefault();
  part('drop').className = 'over';
});
addEventListener('dragleave', () => {
  part('drop').className = '';
});
addEventListener('drop', (event) => {
  event.preventDefault();
  part('drop').className = '';
  take(event.dataTransfer?.files[0]);
});
