import { strFromU8, unzipSync } from 'fflate';
import { CATALOGUE } from '../catalogue';

/** A piece of JSON that the program wrote, or that it reads, and where it was found. */
export interface Document {
  readonly where: string;
  readonly value: unknown;
}

/** Documents by the schema that they have. */
export class Documents {
  readonly #found = new Map<string, Document[]>();
  /** JSON files of bundles that no schema is of. */
  readonly orphans: string[] = [];

  add(schema: string, where: string, value: unknown): void {
    const list = this.#found.get(schema) ?? [];
    this.#found.set(schema, list);
    list.push({ where, value });
  }

  of(schema: string): readonly Document[] {
    return this.#found.get(schema) ?? [];
  }

  /** Every JSON file of a bundle, line by line where it has lines, and the plan in its manifest. */
  addBundle(name: string, files: Readonly<Record<string, Uint8Array>>): void {
    const manifest = JSON.parse(strFromU8(files['pixelproof.json'] ?? new Uint8Array()));
    const { experiment } = manifest;
    this.#addFile(name, experiment, 'PLAN', [manifest.plan]);
    for (const [path, bytes] of Object.entries(files)) {
      if (!/\.jsonl?$/.test(path)) continue;
      const text = strFromU8(bytes);
      const values = path.endsWith('.jsonl') ? text.split('\n').filter((line) => line !== '') : [text];
      this.#addFile(
        name,
        experiment,
        path,
        values.map((value) => JSON.parse(value)),
      );
    }
  }

  addZip(name: string, zip: Uint8Array): void {
    this.addBundle(name, unzipSync(zip));
  }

  #addFile(name: string, experiment: string, path: string, values: readonly unknown[]): void {
    const fits = CATALOGUE.filter(({ subjects }) =>
      subjects.some(
        (subject) =>
          subject.of === 'bundle' &&
          (subject.experiment === null || subject.experiment === experiment) &&
          new RegExp(subject.path).test(path),
      ),
    );
    const [first] = fits;
    if (first === undefined || fits.length > 1) this.orphans.push(`${name}: ${path}`);
    else
      for (const [at, value] of values.entries()) this.add(first.name, `${name}: ${path} ${at + 1}`, value);
  }
}
