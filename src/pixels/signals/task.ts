/**
 * What can be read from one pixel, in the order of wasm/pixels/signals.ts. The dominances are signed (-255..255):
 * red_dominance is R - max(G, B), yellow_dominance min(R, G) - B, and so on around the colour circle; chroma is max - min.
 */
export const FEATURES = [
  'red',
  'green',
  'blue',
  'min',
  'max',
  'red_dominance',
  'green_dominance',
  'blue_dominance',
  'yellow_dominance',
  'magenta_dominance',
  'cyan_dominance',
  'chroma',
] as const;
export type Feature = (typeof FEATURES)[number];

/** least <= feature <= greatest, both integers. A predicate is a list of terms that all hold. */
export interface Term {
  readonly feature: Feature;
  readonly least: number;
  readonly greatest: number;
}
export type Predicate = readonly Term[];

/** The most terms of one predicate. */
export const MAX_TERMS = 16;

/** A rectangle of whole pixels, half-open: columns x0..x1-1, rows y0..y1-1. It may be empty. */
export interface Rectangle {
  readonly x0: number;
  readonly x1: number;
  readonly y0: number;
  readonly y1: number;
}

/** Counts the pixels of a rectangle that fulfil a predicate, and sums a feature over them. */
export interface RegionTask {
  readonly rectangle: Rectangle;
  readonly where: Predicate;
  readonly sum: Feature | null;
}

/** Everything to be measured on one image, in integers, so that every engine gives the same. */
export interface MeasureTask {
  readonly regions: readonly RegionTask[];
  /** The mask whose pixels are counted and whose 4-connected components are found. */
  readonly mask: Predicate;
  /** Area in pixels from which a component counts; at least 1. Null: components are not looked for. */
  readonly least_area: number | null;
}

/** The most components that are listed one by one. */
export const MAX_LISTED = 64;

export interface Components {
  /** Components of at least the least area. */
  readonly count: number;
  /** Areas of the largest of these, descending, equal ones by their first pixel in scan order. */
  readonly areas: readonly number[];
  /** [x0, y0, x1, y1], half-open, in the same order. */
  readonly boxes: readonly (readonly [number, number, number, number])[];
  /** Components of any size. */
  readonly components_total: number;
}

export interface Measured {
  readonly regions: readonly { readonly n: number; readonly sum: number }[];
  readonly mask_total: number;
  readonly components: Components | null;
}
