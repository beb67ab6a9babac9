import { expect, it } from 'vitest';
import { runsThatGo } from './runs-that-go';

it.each([
  [null, 'Every stored run'],
  [{ stored: 1, memory: 0 }, '1 stored run'],
  [{ stored: 3, memory: 1 }, '3 stored runs of this browser and 1 run in the memory of this tab,'],
  [{ stored: 0, memory: 2 }, '0 stored runs of this browser and 2 runs in the memory of this tab,'],
])('%j', (runs, words) => expect(runsThatGo(runs)).toBe(words));
