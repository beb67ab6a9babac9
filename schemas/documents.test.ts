import { beforeAll, describe, expect, it } from 'vitest';
import { demoMessage, hostMessage } from '../src/embed/messages';
import { CATALOGUE } from './catalogue';
import { Documents } from './testing/documents';
import { mutationsOf } from './testing/mutations';
import { openPlaces } from './testing/open-places';
import { addOthers, addPrinted } from './testing/printed';
import { addFailedRuns, addOwnPictures, addSmokeRuns, workFolder } from './testing/runs';
import { validatorOf } from './testing/validators';

// Every schema against everything that the program really writes and prints, and against the same, damaged.

const documents = new Documents();
/** Made by `smoke --json` on the built program; a test in the browser's suite holds it against its schema. */
const ELSEWHERE = ['cli-smoke'];

beforeAll(async () => {
  const folder = workFolder();
  try {
    await addSmokeRuns(documents);
    await addOwnPictures(documents);
    await addFailedRuns(documents, folder.path);
    await addPrinted(documents, folder.path);
    addOthers(documents);
  } finally {
    folder.close();
  }
}, 300_000);

it('no JSON file of any bundle is without a schema, or has two', () => {
  expect(documents.orphans).toEqual([]);
});

describe.each(
  CATALOGUE.filter(({ name }) => !ELSEWHERE.includes(name)).map((each) => [each.name, each] as const),
)('%s', (name, entry) => {
  it('takes every document that there is of it', () => {
    const validate = validatorOf(entry);
    const found = documents.of(name);
    expect(found.length, 'documents').toBeGreaterThan(0);
    for (const { where, value } of found)
      expect(validate(value) || [where, validate.errors], where).toBe(true);
  });

  it('refuses each of them with a member taken away, a strange one, or one of another type', () => {
    const validate = validatorOf(entry);
    const places = openPlaces(name);
    const met = new Set<RegExp>();
    let made = 0;
    for (const { where, value } of documents.of(name).slice(0, 3)) {
      for (const { what, value: damaged } of mutationsOf(value)) {
        made += 1;
        if (!validate(damaged)) continue;
        const place = places.find((each) => each.test(what));
        expect(place, `${where}: ${what} was taken`).toBeDefined();
        if (place !== undefined) met.add(place);
      }
    }
    expect(made).toBeGreaterThan(1);
    // A place that nothing is taken at is not open, and the list of them would be too kind.
    expect(places.filter((each) => !met.has(each))).toEqual([]);
  });
});

it('an embed’s messages are the ones that the program takes', () => {
  for (const { value } of documents.of('embed-host-message')) expect(hostMessage(value)).toEqual(value);
  for (const { value } of documents.of('embed-demo-message')) expect(demoMessage(value)).toEqual(value);
});
