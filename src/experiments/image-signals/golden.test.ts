import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sha256Hex } from '../../evidence/identity/sha256';
import { decodePng } from '../../pixels/decode/png';
import { measureWasm } from '../../pixels/signals/measure';
import { FROZEN } from './protocol';
import { planSignals } from './signals';

const exp = JSON.parse(readFileSync('fixtures/image-signals/golden/expected.json', 'utf8')).images;
for (const e of exp) {
  if (!e.file.endsWith('.png')) continue;
  test(e.file, () => {
    const image = decodePng(new Uint8Array(readFileSync(`fixtures/image-signals/golden/${e.file}`)));
    expect(sha256Hex(image.data)).toBe(e.rgb_sha256);
    const plan = planSignals(FROZEN, image.width, image.height);
    const s = plan.signals(measureWasm(image, plan.task));
    for (const [k, v] of Object.entries(s.values)) expect(v).toEqual(e[k]);
    expect(s.mask_total).toBe(e.nonwhite_total);
    expect(s.gates_passed).toBe(e.gates_passed);
    if (e.float64_bounds_variant) console.log(e.file, JSON.stringify(e.float64_bounds_variant), JSON.stringify(s.rounding));
  });
}
