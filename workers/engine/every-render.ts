/** One state of one variant, with the digests of all its steps, in the form of the reference file. */
interface RenderRow {
  readonly row_id: string;
  readonly png_sha256: readonly string[];
  readonly [field: string]: string | readonly string[] | readonly number[];
}

interface Reference {
  readonly variants: Readonly<Record<string, { readonly rows: readonly RenderRow[] }>>;
}

/**
 * Renders every variant on every state and compares all step digests with the reference file's. Goes on after a
 * difference, so that the count of equal steps is of all steps. Rejects with the signal's reason when cancelled.
 */
export async function everyRender(
  referenceText: string,
  variants: readonly string[],
  materialise: (variant: string, row: string) => Promise<RenderRow>,
  onProgress: (done: number, total: number) => void,
  signal: AbortSignal,
): Promise<{
  steps: number;
  equal: number;
  first_difference: string | null;
  milliseconds: number;
  listing: string;
}> {
  const reference = JSON.parse(referenceText) as Reference;
  const started = performance.now();
  const listing: Record<string, { rows: RenderRow[] }> = {};
  let [done, steps, equal] = [0, 0, 0];
  let first: string | null = null;
  const total = variants.reduce((sum, variant) => sum + (reference.variants[variant]?.rows.length ?? 0), 0);
  for (const variant of variants) {
    const rows: RenderRow[] = [];
    listing[variant] = { rows };
    for (const expected of reference.variants[variant]?.rows ?? []) {
      signal.throwIfAborted();
      const made = await materialise(variant, expected.row_id);
      rows.push(made);
      const difference = firstDifference(expected, made);
      if (difference !== null) first ??= `${variant}, ${expected.row_id}: ${difference}`;
      steps += made.png_sha256.length;
      if (difference === null) equal += made.png_sha256.length;
      done += 1;
      onProgress(done, total);
    }
  }
  return {
    steps,
    equal,
    first_difference: first,
    milliseconds: performance.now() - started,
    listing: JSON.stringify({ variants: listing }, null, 1),
  };
}

function firstDifference(expected: RenderRow, made: RenderRow): string | null {
  for (const field of Object.keys(expected)) {
    const [want, have] = [JSON.stringify(expected[field]), JSON.stringify(made[field])];
    if (want !== have) return `${field}: expected ${want}, got ${have}`;
  }
  return null;
}
