import type { JsonObject } from '../evidence/identity/json';

/** What a person asks for: which experiment, its parameters, and who is to answer. */
export interface RunRequest {
  readonly experiment: string;
  readonly parameters: JsonObject;
  readonly provider: { readonly id: string; readonly settings: JsonObject };
}
