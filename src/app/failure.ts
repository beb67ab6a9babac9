import type { WorkerError } from '../../workers/api';

/** Whatever was thrown, as the one shape the pages show. */
export function failureOf(thrown: unknown): WorkerError {
  if (typeof thrown === 'object' && thrown !== null) {
    const field = (name: string): string | null => {
      const value: unknown = Reflect.get(thrown, name);
      return typeof value === 'string' ? value : null;
    };
    const code = field('code');
    return {
      name: code === null ? 'Error' : 'PixelproofError',
      code: code ?? 'unexpected',
      message: field('message') ?? 'Something failed without saying why.',
      expected: field('expected'),
      got: field('got'),
    };
  }
  return { name: 'Error', code: 'unexpected', message: String(thrown), expected: null, got: null };
}
