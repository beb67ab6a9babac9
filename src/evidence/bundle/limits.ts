// What a bundle may cost whoever opens it. An honest export stays far below; the writers refuse what the readers
// would refuse.

const MIB = 1024 * 1024;

export const LIMITS = {
  /** Bytes of the container. A JSON bundle becomes one JavaScript string, which ends near 512 MiB. */
  zipBytes: 1024 * MIB,
  jsonBytes: 256 * MIB,
  /** Bytes after unpacking: one file, and all files together. */
  fileBytes: 512 * MIB,
  totalBytes: 1024 * MIB,
  /** The most that a ZIP without ZIP64 can count. */
  entries: 65_535,
  /** Unpacked to packed, for files above `ratioFrom`. Our text packs near 10, a bomb near deflate's limit of 1032. */
  ratio: 1000,
  ratioFrom: 4 * MIB,
  /** Nested arrays and objects. */
  jsonDepth: 64,
  pathLength: 240,
} as const;
