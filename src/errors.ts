/**
 * The one error class. `code` is stable and documented (docs/errors.md lists every code); `message` is one
 * sentence a person can act on; `expected` and `got` quote the two sides of a comparison where there is one.
 */
export class PixelproofError extends Error {
  readonly code: string;
  readonly expected: string | undefined;
  readonly got: string | undefined;

  constructor(
    code: string,
    message: string,
    detail: { expected?: unknown; got?: unknown; cause?: unknown } = {},
  ) {
    super(message, detail.cause === undefined ? undefined : { cause: detail.cause });
    this.name = 'PixelproofError';
    this.code = code;
    this.expected = detail.expected === undefined ? undefined : quote(detail.expected);
    this.got = detail.got === undefined ? undefined : quote(detail.got);
  }
}

/** Quotes a value for an error text, cut at 200 characters so that a hostile input cannot flood a page. */
function quote(value: unknown): string {
  const text = typeof value === 'string' ? value : jsonOf(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

/** What JSON cannot say (lists nested too deep, a cycle) is named by its type, so that the error itself gets out. */
function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return Object.prototype.toString.call(value);
  }
}
