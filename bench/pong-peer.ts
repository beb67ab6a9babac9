import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { SEEDS } from '../src/experiments/pong-controls';

export interface PeerTime {
  readonly ale_py: string;
  readonly numpy: string;
  readonly python: string;
  readonly seconds: number;
}

/** The local arms in ale_py, every file on the disk, for so many frames an episode; null where it does not run. */
export function peer(python: string, rom: string, frames: number): PeerTime | null {
  const script = join(process.cwd(), 'bench/peers/pong_ale.py');
  const run = spawnSync(python, [script, 'bench', rom, String(frames), ...SEEDS.map(String)], {
    encoding: 'utf8',
  });
  return run.status === 0 ? (JSON.parse(run.stdout) as PeerTime) : null;
}

/** A Python that has ale_py, null where none is found. */
export function peerPython(rom: string): string | null {
  const candidates = [process.env.ALE_PYTHON, 'python3'].filter((name) => name !== undefined);
  return candidates.find((name) => peer(name, rom, 4) !== null) ?? null;
}
