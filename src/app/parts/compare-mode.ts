export type CompareMode = 'blink' | 'slider' | 'difference';

export const COMPARE_MODES: readonly {
  readonly id: CompareMode;
  readonly label: string;
  readonly key: string;
}[] = [
  { id: 'slider', label: 'Slider', key: 's' },
  { id: 'blink', label: 'Blink', key: 'b' },
  { id: 'difference', label: 'Difference', key: 'd' },
];
