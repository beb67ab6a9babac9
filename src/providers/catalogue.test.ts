import { describe, expect, it } from 'vitest';
import { prepareRun } from '../lab/lab';
import { baseUrlFault } from './base-url';
import { addressOf, asksServer, CATALOGUE, entriesFor, entryOf, summaryOf } from './catalogue';

describe('the catalogue', () => {
  it('has each id once, each with something it can be asked', () => {
    const ids = CATALOGUE.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { capabilities } of CATALOGUE) expect(capabilities.length).toBeGreaterThan(0);
  });

  it('keeps the ids that plans and published identities hold', () => {
    const idsFor = (capability: Parameters<typeof entriesFor>[0]) =>
      entriesFor(capability).map(({ id }) => id);
    expect(idsFor('image-text-to-text')).toEqual(expect.arrayContaining(['replay', 'scripted', 'ollama']));
    expect(idsFor('image-text-to-choices')).toEqual(
      expect.arrayContaining([
        'replay',
        'blind',
        'scripted',
        'llama-server',
        'llama-chat',
        'vllm',
        'ollama',
        'lm-studio',
        'openai',
        'openai-sampled',
      ]),
    );
    expect(idsFor('state-to-choices')).toEqual(
      expect.arrayContaining(['scripted', 'recorded', 'jev', 'openrouter', 'openai-chat']),
    );
    expect(idsFor('text-to-image')).toEqual(['swarmui', 'openai-images', 'minimax']);
  });

  it('says of each in one sentence what it is, and gives every server an address that can be asked', () => {
    for (const entry of CATALOGUE) {
      for (const capability of entry.capabilities) {
        expect(summaryOf(entry, capability)).toMatch(/^[A-Z].*\.$/);
        const address = addressOf(entry, capability);
        if (address !== '') expect(baseUrlFault(address), entry.id).toBeNull();
        expect(address === '' || asksServer(entry), entry.id).toBe(true);
      }
    }
  });

  it('refuses a name that it does not have, and somebody who cannot be asked this', () => {
    for (const id of ['constructor', 'nobody', ''])
      expect(() => entryOf(id)).toThrow(expect.objectContaining({ code: 'provider_unknown' }));
    for (const [id, capability] of [
      ['jev', 'image-text-to-text'],
      ['anthropic', 'image-text-to-choices'],
    ] as const)
      expect(() => entryOf(id, capability)).toThrow(expect.objectContaining({ code: 'provider_capability' }));
  });

  it('is what the PNG experiment can plan with: no entry without a provider behind it', async () => {
    const own = `mine sha256:${'0'.repeat(64)}`;
    for (const { id, model } of entriesFor('image-text-to-text')) {
      const provider = { id, settings: { model: model ?? (id === 'classifier' ? own : 'a-model') } };
      const settings = id === 'replay' || id === 'scripted' ? {} : provider.settings;
      const { plan } = await prepareRun({
        experiment: 'png-representation',
        parameters: {},
        provider: { id, settings },
      });
      expect(plan.case_count, id).toBe(48);
    }
  });
});
