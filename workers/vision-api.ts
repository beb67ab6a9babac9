import type { JsonObject } from '../src/evidence/identity/json';
import type { AuditFinding, GateName, SaboteurName } from '../src/experiments/vision-controls';

/** A picture file of a person's own, read: what a manifest says of it. `error` is why it cannot be one. */
export interface PictureFacts {
  readonly name: string;
  /** 64 bare digits over the file's bytes. */
  readonly sha256: string;
  readonly byte_count: number;
  readonly mime_type: string;
  /** In pixels; 0 where there is an error. */
  readonly width: number;
  readonly height: number;
  readonly error: string | null;
}

/** Who is audited: a simulated provider (one of the ten broken ones, or the honest one for null), or a server. */
export type AuditTarget =
  | { readonly saboteur: SaboteurName | null }
  | {
      readonly provider: string;
      /** Address, model, time limit and template, as a run has them. */
      readonly settings: JsonObject;
      readonly template: 'native_gemma3_turn' | 'native_gemma4_turn';
      /** Sent, and stored nowhere. */
      readonly key: string | null;
    };

/** The worker of the vision controls: pictures, receipts and audits. Runs go through the runner's worker. */
export interface VisionApi {
  /** The bytes of a demo picture by its digest (`sha256:…`), null for any other. */
  demoPicture(sha256: string): Promise<Uint8Array<ArrayBuffer> | null>;
  /** Digest, kind and sides of each file, in the order given. */
  read(files: readonly File[]): Promise<readonly PictureFacts[]>;
  /** Judges a receipt's text again, offline. */
  judge(receipt: string, gate: GateName): Promise<JsonObject>;
  /**
   * Audits a provider on the demo pictures; the order of the probes follows from the seed. Rejects with the code
   * `cancelled` after `cancelAudit`, and where another audit takes its place.
   */
  audit(
    target: AuditTarget,
    seed: number,
    onProgress: (done: number, total: number) => void,
  ): Promise<AuditFinding>;
  cancelAudit(): Promise<void>;
}
