// Buffers are allocated once and kept: the runtime is the stub one, which never frees. Callers reuse what they hold.

/** Bytes past the end of every buffer that vector loads may touch. */
const SLACK: i32 = 512;

/** A zeroed buffer, 16-byte aligned. May grow the memory: views made before are stale afterwards. */
export function allocate(bytes: i32): usize {
  const at = heap.alloc(bytes + SLACK);
  memory.fill(at, 0, bytes + SLACK);
  return at;
}

/**
 * Where a caller that has an instance of its own, and never calls `allocate` in it, may lay out buffers by itself:
 * from here to the end of memory, 16-byte aligned.
 */
export function freeMemory(): usize {
  return (__heap_base + 15) & ~15;
}
