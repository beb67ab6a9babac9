import type { Capability } from './provider';

/** Where whoever answers runs: what a reader wants to know before anything else. */
export type Runs = 'in-page' | 'local-server' | 'hosted' | 'recorded' | 'wiring';

/** One of those who can be asked. Pages, the command line and the doctor read this and keep no list of their own. */
export interface CatalogueEntry {
  /** Part of plans and of published identities: an id is never renamed. */
  readonly id: string;
  readonly name: string;
  readonly runs: Runs;
  readonly capabilities: readonly Capability[];
  /** One plain sentence. */
  readonly summary: string;
  /** What the summary says of one capability instead, where that is another thing. */
  readonly notes?: { readonly [capability in Capability]?: string };
  /** Where it usually answers; null where nobody is asked, or where a person has to say it. */
  readonly baseUrl: string | null;
  /** Another address for one capability. */
  readonly addresses?: { readonly [capability in Capability]?: string };
  readonly key: 'none' | 'optional' | 'required';
  /** Another entry with the same key: one server, asked in two ways. */
  readonly sharesKeyWith?: string;
  /** The model that is asked unless a person names another; null where a person has to. */
  readonly model: string | null;
}
