import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readDraft, writeDraft } from './review-draft';

const NOTHING = { reviewFirst: false, reviewer: '', reviews: [], seen: [] };
const kept = new Map<string, string>();

beforeEach(() => {
  kept.clear();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  });
});
afterEach(() => vi.unstubAllGlobals());

it('a draft comes back as it was', () => {
  const draft = { ...NOTHING, reviewFirst: true, reviewer: 'Ada', seen: ['ab'] };
  writeDraft(draft);
  expect(readDraft()).toEqual(draft);
});

it('a draft of nothing takes what was written with it', () => {
  writeDraft({ ...NOTHING, reviewer: 'Ada' });
  writeDraft(NOTHING);
  expect([...kept]).toEqual([]);
  expect(readDraft()).toEqual(NOTHING);
});
