/**
 * What a window, a worker or Node lends to this experiment: where pictures lie whose digests a plan names. The demo
 * pictures are drawn and need nobody.
 */
export interface VisionHost {
  /** The bytes with this digest (`sha256:…`), null where nobody has them. */
  picture(sha256: string): Promise<Uint8Array<ArrayBuffer> | null>;
}

export const bareVisionHost: VisionHost = { picture: async () => null };
