import { transfer } from 'comlink';
import { sha256Large } from '../../src/evidence/identity/sha256';
import {
  DEMO_PROFILE,
  demoPicture,
  judgeReceipt,
  verdictRecord,
} from '../../src/experiments/vision-controls';
import { lendKeys } from '../../src/lab/keys';
import { auditPictures, simulatedProvider } from '../../src/lab/saboteurs';
import { auditProvider } from '../../src/lab/vision-audit';
import { visionServer } from '../../src/lab/vision-controls';
import { sniffImage } from '../../src/pixels/decode/sniff';
import type { PictureFacts, VisionApi } from '../vision-api';

/** More than any screenshot. */
const MAX_PICTURE_BYTES = 64 * 1024 * 1024;

export const api: VisionApi = {
  async demoPicture(sha256) {
    const drawn = demoPicture(sha256)?.slice() ?? null;
    return drawn === null ? null : transfer(drawn, [drawn.buffer]);
  },
  async read(files) {
    const facts: PictureFacts[] = [];
    for (const file of files) facts.push(await factsOf(file));
    return facts;
  },
  async judge(receipt, gate) {
    return verdictRecord(judgeReceipt(receipt, gate));
  },
  async audit(target, seed, onProgress) {
    auditing?.abort();
    const cancel = new AbortController();
    auditing = cancel;
    try {
      const pictures = auditPictures();
      const simulated = 'saboteur' in target;
      if (!simulated) lendKeys(() => target.key);
      return await auditProvider({
        provider: simulated
          ? simulatedProvider(target.saboteur, pictures, seed)
          : visionServer(target.provider, target.settings),
        profile: DEMO_PROFILE,
        template: simulated ? 'native_gemma3_turn' : target.template,
        pictures,
        seed,
        signal: cancel.signal,
        onProgress,
      });
    } finally {
      if (auditing === cancel) {
        auditing = null;
        lendKeys(() => null);
      }
    }
  },
  async cancelAudit() {
    auditing?.abort();
  },
};

let auditing: AbortController | null = null;

async function factsOf(file: File): Promise<PictureFacts> {
  const { name, size } = file;
  const none = { name, sha256: '', byte_count: size, mime_type: '', width: 0, height: 0 };
  if (size > MAX_PICTURE_BYTES) return { ...none, error: 'larger than 64 MiB' };
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = new Uint8Array(await file.arrayBuffer());
  } catch {
    return { ...none, error: 'the file cannot be read' };
  }
  const sha256 = (await sha256Large(bytes)).slice('sha256:'.length);
  const { format, name: kind } = sniffImage(bytes);
  if (format === null) return { ...none, sha256, error: `${kind}, and not a PNG, JPEG or WebP` };
  const mime_type = `image/${format}`;
  try {
    const decoded = await createImageBitmap(new Blob([bytes], { type: mime_type }));
    const { width, height } = decoded;
    decoded.close();
    return { ...none, sha256, mime_type, width, height, error: null };
  } catch {
    return { ...none, sha256, error: 'a damaged picture' };
  }
}
