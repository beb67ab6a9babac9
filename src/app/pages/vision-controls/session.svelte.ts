import type { VisionResult, WorkerError } from '../../../../workers/api';
import type { PictureFacts } from '../../../../workers/vision-api';
import type { JsonObject } from '../../../evidence/identity/json';
import { leakIn } from '../../../experiments/vision-controls/leak';
import { manifestText } from '../../../experiments/vision-controls/manifest';
import { ownManifest } from '../../../experiments/vision-controls/own';
import { ownProfile } from '../../../experiments/vision-controls/profile';
import type { CaseRecord, RunHeader } from '../../../runner/experiment';
import { announcer } from '../../announce.svelte';
import { failureOf } from '../../failure';
import { keys } from '../../keys.svelte';
import { type LiveRun, liveRun } from '../../live.svelte';
import { runOfAddress } from '../../named-run';
import { route } from '../../route.svelte';
import { storedRuns } from '../../stored-runs';
import { runner, vision } from '../../workers';
import { type Choice, requestOf, serverFault } from './choice';
import { type Matrix, matrixOf, matrixOfPlan, namedText } from './matrix';
import { verdict } from './verdict';

const EXPERIMENT = 'vision-controls';

/** A file that a person handed over. */
export interface GivenPicture extends PictureFacts {
  readonly file: File;
  readonly family: 0 | 1;
}

/** The run that the page shows, and the files that a person handed over. */
export class VisionSession {
  readonly live: LiveRun = liveRun(EXPERIMENT);
  header: RunHeader | null = $state.raw(null);
  plan: JsonObject | null = $state.raw(null);
  report: JsonObject | null = $state.raw(null);
  result: VisionResult | null = $state.raw(null);
  cases: readonly CaseRecord[] = $state.raw([]);
  interrupted: RunHeader | null = $state.raw(null);
  failure: WorkerError | null = $state.raw(null);
  loading = $state(false);
  stamp = $state(0);
  /** Files for the published rows, and a person's own. */
  given: readonly GivenPicture[] = $state.raw([]);
  own: readonly GivenPicture[] = $state.raw([]);
  #urls = new Map<string, Promise<string | null>>();

  /** The matrix of the shown run, else null. */
  readonly shown: Matrix | null = $derived(this.plan === null ? null : matrixOfPlan(this.plan));

  async add(files: readonly File[], family: 0 | 1 | null): Promise<void> {
    try {
      const facts = await vision().read(files);
      const fresh = facts.flatMap((fact, at): GivenPicture[] => {
        const file = files[at];
        return file === undefined ? [] : [{ ...fact, file, family: family ?? 0 }];
      });
      if (family === null) this.given = [...this.given, ...fresh];
      else this.own = [...this.own, ...fresh];
      this.#urls.clear();
      await runner().lendPictures(
        fresh.map(({ sha256, file }) => ({ sha256: `sha256:${sha256}`, blob: file })),
      );
    } catch (thrown) {
      this.failure = failureOf(thrown);
    }
  }

  remove(at: number): void {
    this.own = this.own.filter((_, index) => index !== at);
  }

  /** The plan's matrix, or why there is none, in one sentence. */
  planned(choice: Choice): { readonly matrix: Matrix | null; readonly fault: string | null } {
    const named = namedText(choice.fixture);
    if (named !== null) return { matrix: matrixOf(named), fault: null };
    try {
      const { words, banned } = wordsOf(choice);
      const term = leakIn(words.state, banned);
      if (term !== null)
        return {
          matrix: null,
          fault: `The state has the term “${term}”, which would give the answer away as text.`,
        };
      const pictures = this.own.filter(({ error }) => error === null);
      return {
        matrix: matrixOf(
          manifestText(
            ownManifest(
              words,
              pictures.map((one) => pick(one)),
            ),
          ),
        ),
        fault: null,
      };
    } catch (thrown) {
      const { message, expected } = failureOf(thrown);
      return { matrix: null, fault: `${message}${expected === null ? '' : ` Needed: ${expected}.`}` };
    }
  }

  /** Why the choice cannot be run now, in one sentence, or null. The experiment has the last word. */
  refusal(choice: Choice): string | null {
    const { provider } = choice;
    if (provider === 'replay') return null;
    const { matrix, fault } = this.planned(choice);
    if (matrix === null) return fault;
    if (provider !== 'blind' && (choice.fixture === 'five-row' || choice.fixture === 'six-row')) {
      const there = matrix.rows.filter(({ screenshot }) =>
        this.given.some(({ sha256 }) => sha256 === screenshot.sha256),
      );
      if (there.length < matrix.rows.length)
        return `${there.length} of ${matrix.rows.length} published pictures are here. Choose the others, or the demo set.`;
    }
    return serverFault(choice);
  }

  async start(choice: Choice): Promise<void> {
    this.interrupted = null;
    const manifest = choice.fixture === 'own' ? (this.planned(choice).matrix?.text ?? null) : null;
    await keys.lend(choice.provider, runner());
    await this.#ended(await this.live.start(requestOf(choice, manifest)));
  }

  async resume(header: RunHeader): Promise<void> {
    this.interrupted = null;
    await keys.lend(header.provider.id, runner());
    await this.#ended(await this.live.resume(header));
  }

  async #ended(header: RunHeader | null): Promise<void> {
    this.stamp += 1;
    if (header === null) return;
    if (header.status !== 'complete') this.interrupted = header;
    route.set({ run: header.run, cell: null });
    await this.show(header);
    announcer.say(this.sentence());
  }

  /** The verdict of the shown run with its reason. */
  sentence(): string {
    const { result, report, header } = this;
    if (result === null || report === null || header === null) return '';
    if (header.status === 'complete') return verdict(report, header.kind);
    const cause = result.cause ?? '';
    if (result.result === 'skip') return `Skip: ${cause} A skip is no evidence.`;
    if (result.result === 'fail') return `Fail: ${cause}`;
    return result.result === 'cancelled' ? 'Cancelled: no verdict.' : `No verdict: ${cause}`;
  }

  async arrive(): Promise<void> {
    try {
      const { runs } = await storedRuns({ experiment: EXPERIMENT, offset: 0, limit: 20 });
      if (!this.live.running) this.interrupted = runs.find(({ status }) => status !== 'complete') ?? null;
      const named = await runOfAddress(EXPERIMENT);
      if (named === 'elsewhere') return;
      const header = named ?? runs.find(({ status }) => status === 'complete') ?? null;
      if (header !== null) await this.show(header);
    } catch (thrown) {
      this.failure = failureOf(thrown);
    }
  }

  async show(header: RunHeader): Promise<void> {
    this.loading = true;
    this.failure = null;
    try {
      const worker = runner();
      const [plan, report, result, page] = await Promise.all([
        worker.plan(header.run),
        worker.report(header.run),
        worker.visionResult(header.run),
        worker.cases(header.run, { offset: 0, limit: 3000 }),
      ]);
      this.header = header;
      this.plan = plan;
      this.report = report;
      this.result = result;
      this.cases = page.cases;
      this.#urls.clear();
    } catch (thrown) {
      this.failure = failureOf(thrown);
    } finally {
      this.loading = false;
    }
  }

  /** After a deletion: what is shown may be gone. */
  async changed(): Promise<void> {
    const { header, interrupted } = this;
    if (header !== null && (await runner().header(header.run)) === null) {
      this.header = null;
      this.plan = null;
      this.report = null;
      this.result = null;
      this.cases = [];
      route.set({ run: null, cell: null });
    }
    if (interrupted !== null && (await runner().header(interrupted.run)) === null) this.interrupted = null;
  }

  caseOf(row: string, ordinal: number): CaseRecord | null {
    return this.cases.find((one) => one.arm === row && one.ordinal === ordinal) ?? null;
  }

  /** Why a call of this control failed, null where none did. */
  failureOf(row: string, ordinal: number): string | null {
    return this.result?.failed.find((one) => one.arm === row && one.ordinal === ordinal)?.code ?? null;
  }

  /** An address of a picture for `<img>`, null where nobody has it. */
  picture(sha256: string): Promise<string | null> {
    const known = this.#urls.get(sha256);
    if (known !== undefined) return known;
    const made = this.#open(sha256);
    this.#urls.set(sha256, made);
    return made;
  }

  async #open(sha256: string): Promise<string | null> {
    const file = [...this.own, ...this.given].find((one) => one.sha256 === sha256)?.file;
    if (file !== undefined) return URL.createObjectURL(file);
    const id = `sha256:${sha256}`;
    const bytes =
      (await vision().demoPicture(id)) ?? (this.header === null ? null : await runner().artifact(id));
    return bytes === null ? null : URL.createObjectURL(new Blob([bytes as Uint8Array<ArrayBuffer>]));
  }
}

/** A person's words, and the ban that follows from them. */
export function wordsOf(choice: Choice) {
  const words = {
    families: [choice.first.trim(), choice.second.trim()] as const,
    question: choice.question.trim(),
    when_true: choice.means.trim(),
    state: choice.state.trim(),
    terms: choice.terms
      .split(',')
      .map((term) => term.trim())
      .filter((term) => term !== ''),
  };
  return { words, banned: ownProfile(words).leak_terms };
}

function pick({ family, name, mime_type, sha256, byte_count, width, height }: GivenPicture) {
  return { family, file_name: name, mime_type, sha256, byte_count, width, height };
}
