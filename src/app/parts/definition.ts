/** One line of a definition list. */
export interface Definition {
  readonly term: string;
  readonly text: string;
  readonly digest?: true;
  readonly code?: true;
  readonly note?: string;
}
