/** One thing the verifier says: a difference it found, or a check that held. */
export interface Finding {
  readonly level: 'pass' | 'warning' | 'failure';
  /** Stable, for example `case_id_mismatch`. */
  readonly code: string;
  /** Where: `unlabelled-v1/run.json`, `unlabelled-v1/cases.jsonl line 4 case_id`. */
  readonly where: string;
  readonly message: string;
  readonly expected?: string;
  readonly got?: string;
}
