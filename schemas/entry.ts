import type { GenericSchema } from 'valibot';

/** What a schema is a schema of. */
export type Subject =
  /** Files of a bundle of this experiment, or of any; the path as a pattern over the whole of it. */
  | {
      readonly of: 'bundle';
      readonly experiment: string | null;
      readonly path: string;
      readonly name: string;
      /** JSON Lines: the schema is of one line. */
      readonly lines: boolean;
    }
  /** Something outside of bundles, in words. */
  | { readonly of: 'other'; readonly name: string };

export interface Entry {
  /** `NAME-VERSION`: the file is `NAME-VERSION.schema.json`, the `$id` `urn:pixelproof:schema:NAME:VERSION`. */
  readonly name: string;
  readonly version: number;
  readonly title: string;
  readonly description: string;
  readonly subjects: readonly Subject[];
  /** Null where the file is written by hand and only listed here. */
  readonly form: GenericSchema | null;
}

/** A file of a bundle: `path` is a regular expression of the whole path, `name` what a table shows. */
export function inBundle(experiment: string | null, name: string, path = escaped(name)): Subject {
  return { of: 'bundle', experiment, path: `^${path}$`, name, lines: name.endsWith('.jsonl') };
}

export function elsewhere(name: string): Subject {
  return { of: 'other', name };
}

function escaped(path: string): string {
  return path.replaceAll('.', '\\.');
}

export function entry(
  name: string,
  subjects: readonly Subject[],
  title: string,
  description: string,
  form: GenericSchema | null,
): Entry {
  return { name, version: 1, title, description, subjects, form };
}

/** The stable name of a schema. It names and is no address: no server has to answer for it. */
export function idOf({ name, version }: Pick<Entry, 'name' | 'version'>): string {
  return `urn:pixelproof:schema:${name}:${version}`;
}

export function fileOf({ name, version }: Pick<Entry, 'name' | 'version'>): string {
  return `${name}-${version}.schema.json`;
}
