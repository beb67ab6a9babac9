import * as layout from '../../wasm/atari/layout';
import type { Core } from './core';

/** One register as the core holds it. `bits` says how wide it is shown; 0 means a position in pixels. */
export interface Register {
  readonly name: string;
  readonly value: number;
  readonly bits: number;
}

export interface MachineView {
  readonly cpu: readonly Register[];
  /** In the order of TIA_GROUPS, all groups in one list. */
  readonly tia: readonly Register[];
}

/** Shown name, field and its word in wasm/atari/state.ts, width in bits. */
type Field = readonly [name: string, field: string, word: number, bits: number];

export const CPU_FIELDS: readonly Field[] = [
  ['PC', 'pc', 0, 16],
  ['A', 'a', 1, 8],
  ['X', 'x', 2, 8],
  ['Y', 'y', 3, 8],
  ['SP', 'sp', 4, 8],
];

export const TIA_FIELDS: readonly { readonly title: string; readonly fields: readonly Field[] }[] = [
  {
    title: 'Picture',
    fields: [
      ['VSYNC', 'vsync', 11, 8],
      ['VBLANK', 'vblank', 12, 8],
      ['COLUP0', 'colourP0', 13, 8],
      ['COLUP1', 'colourP1', 14, 8],
      ['COLUPF', 'colourPf', 15, 8],
      ['COLUBK', 'colourBk', 16, 8],
      ['collisions', 'collisions', 56, 16],
    ],
  },
  {
    title: 'Playfield and ball',
    fields: [
      ['CTRLPF', 'ctrlpf', 17, 8],
      ['PF0–2', 'playfield', 19, 20],
      ['ENABL', 'enabl', 46, 8],
      ['VDELBL', 'vdelbl', 43, 8],
      ['HMBL', 'hmbl', 54, 4],
      ['ball x', 'posBl', 27, 0],
    ],
  },
  {
    title: 'Player and missile 0',
    fields: [
      ['NUSIZ0', 'nusiz0', 21, 8],
      ['GRP0', 'grp0', 33, 8],
      ['REFP0', 'refp0', 39, 8],
      ['VDELP0', 'vdelp0', 41, 8],
      ['HMP0', 'hmp0', 50, 4],
      ['player x', 'posP0', 23, 0],
      ['ENAM0', 'enam0', 44, 8],
      ['RESMP0', 'resmp0', 48, 8],
      ['HMM0', 'hmm0', 52, 4],
      ['missile x', 'posM0', 25, 0],
    ],
  },
  {
    title: 'Player and missile 1',
    fields: [
      ['NUSIZ1', 'nusiz1', 22, 8],
      ['GRP1', 'grp1', 34, 8],
      ['REFP1', 'refp1', 40, 8],
      ['VDELP1', 'vdelp1', 42, 8],
      ['HMP1', 'hmp1', 51, 4],
      ['player x', 'posP1', 24, 0],
      ['ENAM1', 'enam1', 45, 8],
      ['RESMP1', 'resmp1', 49, 8],
      ['HMM1', 'hmm1', 53, 4],
      ['missile x', 'posM1', 26, 0],
    ],
  },
];

/** Which of the TIA registers of a view belong to which heading. */
export const TIA_GROUPS: readonly { readonly title: string; readonly count: number }[] = TIA_FIELDS.map(
  ({ title, fields }) => ({ title, count: fields.length }),
);

/** Reads the registers of a machine. */
export function readMachine(core: Core): MachineView {
  const read =
    (base: number) =>
    ([name, , word, bits]: Field): Register => ({
      name,
      value: core.view.getInt32(base + 4 * word, true),
      bits,
    });
  return {
    cpu: CPU_FIELDS.map(read(layout.CPU_STATE)),
    tia: TIA_FIELDS.flatMap(({ fields }) => fields.map(read(layout.TIA_STATE))),
  };
}
