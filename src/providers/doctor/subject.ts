import type { CatalogueEntry } from '../catalogue-entry';
import type { Capability } from '../provider';
import type { Check, Diagnosis, SentRequest } from './diagnosis';
import type { Patience } from './wire';

/** Who is to be examined, and what for. */
export interface Subject {
  readonly entry: CatalogueEntry;
  readonly baseUrl: string;
  readonly model: string;
  readonly key: string | null;
  /** What it will be asked for; null for everything that it is listed with. */
  readonly capability: Capability | null;
  readonly patience?: Partial<Patience>;
}

export interface Report {
  readonly provider: string;
  readonly base_url: string;
  readonly model: string;
  readonly diagnosis: Diagnosis;
  readonly checks: readonly Check[];
  readonly requests: readonly SentRequest[];
}
