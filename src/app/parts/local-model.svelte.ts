import { proxy } from 'comlink';
import type { StoredModel, WorkerError } from '../../../workers/api';
import { outside } from '../../outside-words';
import { DTYPES, type Dtype, type VlmChoice, vlmModel } from '../../providers/audit/vlm-protocol';
import type { DownloadProgress } from '../../providers/in-page/vlm/download';
import { neededFiles } from '../../providers/in-page/vlm/files';
import { announcer } from '../announce.svelte';
import { failureOf } from '../failure';
import { runner } from '../workers';

/** A folder that a person chose in this tab. */
interface Folder {
  readonly name: string;
  readonly files: number;
  /** Precisions of which every file is there. */
  readonly precisions: readonly Dtype[];
}

/** What this device has of models, and the download that is under way. One for the whole site: there is one worker. */
class LocalModels {
  stored: readonly StoredModel[] = $state([]);
  folder: Folder | null = $state(null);
  downloading: VlmChoice | null = $state(null);
  progress: DownloadProgress | null = $state(null);
  failure: WorkerError | null = $state(null);

  async refresh(): Promise<void> {
    await this.#watched(async () => {
      this.stored = await runner().storedModels();
    });
  }

  isHere({ name, dtype }: VlmChoice): boolean {
    const files = this.stored.find((model) => model.name === name)?.files ?? [];
    return neededFiles(dtype).every((path) => files.includes(path));
  }

  /** Only ever called by the button that says what is fetched, from where, and how much. */
  async download(choice: VlmChoice): Promise<void> {
    this.downloading = choice;
    this.progress = null;
    announcer.say(`Downloading ${outside(choice.name)}.`);
    await this.#watched(async () => {
      const whole = await runner().downloadModel(
        { name: choice.name, dtype: choice.dtype },
        proxy((progress: DownloadProgress) => {
          this.progress = progress;
          announcer.sayNowAndThen(`File ${progress.files + 1} of ${progress.of}.`);
        }),
      );
      announcer.say(whole ? `${outside(choice.name)} is on this device.` : 'Download cancelled.');
    });
    this.downloading = null;
    await this.#quietly(() => runner().storedModels());
  }

  async cancel(): Promise<void> {
    await runner().cancelDownload();
  }

  async remove(name: string): Promise<void> {
    await this.#watched(async () => {
      await runner().removeModel(name);
      this.stored = await runner().storedModels();
      announcer.say(`${outside(name)} was removed from this device.`);
    });
  }

  /** Lends a folder to the runs of this tab and gives the model it holds; null where it holds none. Reads one file. */
  async lend(files: readonly File[], backend: VlmChoice['backend']): Promise<string | null> {
    this.failure = null;
    const [name = 'folder'] = (files[0]?.webkitRelativePath ?? '').split('/');
    const folder = files.map((blob) => ({
      path: blob.webkitRelativePath.split('/').slice(1).join('/'),
      blob,
    }));
    const paths = folder.map(({ path }) => path);
    const precisions = DTYPES.filter((dtype) => neededFiles(dtype).every((path) => paths.includes(path)));
    const [dtype] = precisions;
    if (dtype === undefined) {
      const absent = neededFiles('fp32').filter((path) => !paths.includes(path));
      this.failure = {
        name: 'PixelproofError',
        code: 'model_files_missing',
        message: `The folder ${outside(name)} lacks files of a model. Choose the one that holds config.json and the folder onnx.`,
        expected: neededFiles('fp32').join(', '),
        got: `without ${absent.join(', ')}`,
      };
      return null;
    }
    await this.#watched(() => runner().lendModelFolder(name, folder));
    this.folder = { name, files: files.length, precisions };
    announcer.say(`The folder ${outside(name)} will be used.`);
    return vlmModel({ name, dtype, backend });
  }

  async #watched(work: () => Promise<void>): Promise<void> {
    this.failure = null;
    try {
      await work();
    } catch (thrown) {
      this.failure = failureOf(thrown);
    }
  }

  /** After a failure that is on the page already. */
  async #quietly(list: () => Promise<readonly StoredModel[]>): Promise<void> {
    this.stored = await list().catch(() => this.stored);
  }
}

export const localModels = new LocalModels();
