import { pythonFloatRepr } from '../../evidence/identity/python-json';
import type { Frame } from './environment';
import { bool } from './json';

// The lines of an episode's files, in the parts that come from different places. Readers compare with the same text and
// look at fields only where it differs.

/** A line of `frames.jsonl` up to the picture's digest. */
export function frameHead(decision: number, rawFrame: number, action: number, ram: Uint8Array): string {
  return (
    `{"decision": ${decision}, "raw_frame": ${rawFrame}, "requested_action_id": ${action}, ` +
    `"ram_bytes": [${ram.join(', ')}], "rgb_sha256": "`
  );
}

/** The rest of the line, without its line feed. */
export function frameTail({ reward, terminated, truncated }: Omit<Frame, 'rawFrame'>): string {
  return `", "reward": ${pythonFloatRepr(reward)}, "terminated": ${bool(terminated)}, "truncated": ${bool(truncated)}}`;
}

/** A line of `transitions.jsonl` up to the prediction. */
export function transitionHead(decision: number, observation: string, action: number): string {
  return `{"decision": ${decision}, "observation": ${observation}, "action": ${action}, "prediction": `;
}

/** The rest of the line, without its line feed. */
export function transitionTail(
  rewards: readonly number[],
  next: string,
  terminated: boolean,
  truncated: boolean,
): string {
  return (
    `, "rewards": [${rewards.map(pythonFloatRepr).join(', ')}], "raw_frames": ${rewards.length}, ` +
    `"next_observation": ${next}, "terminated": ${bool(terminated)}, "truncated": ${bool(truncated)}}`
  );
}
