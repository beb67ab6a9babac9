/** One thing compared with the reference. */
export interface SmokeCheck {
  readonly what: string;
  readonly expected: string;
  readonly got: string;
  readonly equal: boolean;
}

export function check(what: string, expected: unknown, got: unknown): SmokeCheck {
  const [want, have] = [String(expected), String(got)];
  return { what, expected: want, got: have, equal: want === have };
}
