/** Root digests of arcade-reader-1 with wasm: what the page and the command line both come to. */
export const READ_ROOTS = {
  /** The smoke fixture with the six representations of Stage 2E. */
  smoke: 'sha256:dfe97f2dd9e69ffff1c661c37ea76be672454935022de9a09a25a196f532b720',
  /** All 112 states of unlabelled-v1 and cooldown-shape-v1. */
  two: 'sha256:d637c8e151ed6a4e2feaabb276bf83b1175a80d5165ed91cc8c5ace6f768dd00',
} as const;
