import { describe, expect, it } from 'vitest';
import { sha256 } from '../evidence/identity/sha256';
import { type AuditPicture, DEMO_PROFILE, SABOTEURS } from '../experiments/vision-controls';
import { Xorshift32 } from '../numeric/xorshift32';
import type { Provider } from '../providers/provider';
import { honestScorer, type SimulatedModel, saboteurScorer } from './saboteurs';
import { auditProvider } from './vision-audit';

const pictures: AuditPicture[] = [true, true, true, false, false].map((first, index) => ({
  id: `picture-${index + 1}`,
  first,
  bytes: new Uint8Array([index + 1, 7, 7, 7]),
  media_type: 'image/png',
}));
const yes = new Set(pictures.filter(({ first }) => first).map(({ bytes }) => sha256(bytes)));

function audit(provider: Provider, seed: number) {
  return auditProvider({
    provider,
    profile: DEMO_PROFILE,
    template: 'native_gemma3_turn',
    pictures,
    seed,
    signal: new AbortController().signal,
  });
}

/** An able model, as a saboteur hides behind one: noise from none at all to as much as a busy server makes. */
function able(seed: number): SimulatedModel {
  return {
    seed,
    yes,
    separation: 3,
    variety: 0.8,
    noise: [0, 0.001, 0.01, 0.05][seed % 4] ?? 0,
    pictureTokens: 259,
    namesModel: seed % 2 === 0,
  };
}

/** Models of all kinds: weak ones, wrong ones, noisy ones, and servers that count or name nothing. */
function anyHonest(seed: number): SimulatedModel {
  const random = new Xorshift32(seed * 31 + 5);
  return {
    seed,
    yes,
    separation: random.between(-300, 600) / 100,
    variety: random.between(30, 150) / 100,
    noise: [0, 1e-9, 0.001, 0.01, 0.03, 0.06][random.between(0, 5)] ?? 0,
    pictureTokens: ([259, 413, 'varied', null] as const)[random.between(0, 3)] ?? null,
    namesModel: random.between(0, 1) === 1,
  };
}

describe('saboteurs', () => {
  for (const name of SABOTEURS) {
    it(`${name} is named, in twenty runs of twenty`, async () => {
      const found = [];
      for (let seed = 1; seed <= 20; seed += 1)
        found.push(await audit(saboteurScorer(name, able(seed)), seed));
      expect(found.map((one) => one.name)).toEqual(Array(20).fill(name));
      for (const { evidence } of found) expect(evidence.length).toBeGreaterThan(20);
    });
  }

  it('none is named in 200 honest runs', async () => {
    expect(await namedAmong(200, anyHonest)).toEqual([]);
  });

  it.each<[string, Partial<SimulatedModel>]>([
    ['takes one of two paths in its kernels', { jitter: 'two-valued' }],
    ['is off six times as far now and then', { jitter: 'heavy' }],
    ['prints four decimals', { decimals: 4 }],
    ['prints two decimals', { decimals: 2 }],
    ['does not count what its cache held', { pictureTokens: 'cached' }],
    ['has small pictures', { pictureTokens: 64 }],
    ['is sure of everything', { separation: 15 }],
    ['has both families the wrong way round', { separation: -3 }],
  ])('none that %s, in 200 runs', async (_, change) => {
    expect(await namedAmong(200, (seed) => ({ ...anyHonest(seed), ...change }))).toEqual([]);
  });

  it('one that takes its time is not named for it', async () => {
    const quick = honestScorer(anyHonest(3));
    const slow: Provider = {
      ...quick,
      description: quick.description,
      capabilities: quick.capabilities,
      start: () => quick.start(),
      scoreChoices: async (question, call) => {
        const answer = await quick.scoreChoices(question, { ...call, record: () => {} });
        await new Promise((done) => setTimeout(done, answer.request_sha256 === null ? 2 : 0));
        const late = { ...answer, latency_us: 40_000_000 };
        await call.record(late);
        return late;
      },
    };
    expect((await audit(slow, 3)).name).toBeNull();
  });
});

async function namedAmong(runs: number, modelOf: (seed: number) => SimulatedModel) {
  const named = [];
  for (let seed = 1; seed <= runs; seed += 1) {
    const found = await audit(honestScorer(modelOf(seed)), seed);
    if (found.name !== null) named.push({ seed, ...found, model: modelOf(seed) });
  }
  return named;
}
