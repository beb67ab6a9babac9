import { vi } from 'vitest';
import { main } from '../main';

/** Runs one command line inside the test, with what it printed. */
export async function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  let [out, err] = ['', ''];
  const stdout = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    out += text;
    return true;
  });
  const stderr = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    err += text;
    return true;
  });
  // What the test runner itself has written is not this command's.
  const written = vi.spyOn(process.stdout, 'bytesWritten', 'get').mockImplementation(() => out.length);
  try {
    return { code: await main(args), out, err };
  } finally {
    stdout.mockRestore();
    stderr.mockRestore();
    written.mockRestore();
  }
}
