/** Where the caller may lay out its buffers: everything from here to the end of memory is free, 16-aligned. */
export function freeMemory(): usize {
  return (__heap_base + 15) & ~15;
}
