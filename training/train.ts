import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sha256Large } from '../src/evidence/identity/sha256';
import { ARCADE_READER_MODEL } from '../src/providers/in-page/arcade-reader-card';
import { modelCard } from './card';
import { toOnnx } from './export';
import { trainNetwork } from './fit';
import { measure } from './measure';
import { trainingRenders } from './pictures';
import { heldOut, RECIPE } from './recipe';

/**
 * Trains arcade-reader and writes model.onnx and card.json. `--out DIR` says where, `--measure` keeps the model that is
 * there and measures it again. Prints the digest, which src/providers/in-page/arcade-reader-card.ts names.
 */
export async function main(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      out: { type: 'string', default: 'public/models/arcade-reader' },
      measure: { type: 'boolean', default: false },
    },
  });
  const file = join(values.out, 'model.onnx');
  const kept = values.measure && existsSync(file);
  const model = kept ? new Uint8Array(await readFile(file)) : await train();
  await mkdir(values.out, { recursive: true });
  await writeFile(file, model);
  say(`${file}: ${model.length} bytes, ${await sha256Large(model)}`);
  const accuracy = await measure(model);
  for (const { variant, right, states, held_out } of accuracy)
    say(`${variant}: ${right} of ${states}, held out ${held_out.right} of ${held_out.states}`);
  const card = await modelCard(model, PARAMETERS, accuracy);
  await writeFile(join(values.out, 'card.json'), `${JSON.stringify(card, null, 2)}\n`);
}

const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** Of weights and biases together, as the recipe's layers have them. */
const PARAMETERS = parametersOf(RECIPE.channels);

export function parametersOf(channels: readonly number[]): number {
  let [from, count] = [3, 0];
  for (const to of channels) {
    count += from * to * 9 + to;
    from = to;
  }
  const features = from * 14 * 8;
  return count + 17 * (features + 1);
}

async function train(): Promise<Uint8Array<ArrayBuffer>> {
  const renders = await trainingRenders((index) => !heldOut(index));
  const started = performance.now();
  const network = trainNetwork({
    epochs: RECIPE.epochs,
    renders,
    onEpoch: (epoch, loss) =>
      say(
        `epoch ${epoch + 1} of ${RECIPE.epochs}: loss ${loss.toFixed(4)}, ${((performance.now() - started) / 1000).toFixed(0)} s`,
      ),
  });
  return toOnnx(network, ARCADE_READER_MODEL);
}
