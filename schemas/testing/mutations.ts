/** A document with one thing wrong. */
export interface Mutation {
  /** `- PATH` taken away, `+ PATH` a strange member, `~ PATH` another type; a number in a path is `N`. */
  readonly what: string;
  readonly value: unknown;
}

type Node = Record<string, unknown> | unknown[];
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** Elements of a long list are alike: only the first few are damaged. */
const FIRST = 2;

/** Every way to take a member away, to add one and to give one another type, all the way down. */
export function* mutationsOf(document: unknown): Iterable<Mutation> {
  yield { what: '~ ', value: typeof document === 'string' ? 17.5 : 'another type' };
  yield* below(document, document, '', (value) => value);
}

function* below(
  root: unknown,
  node: unknown,
  path: string,
  around: (value: unknown) => unknown,
): Iterable<Mutation> {
  if (!isNode(node)) return;
  const list = Array.isArray(node);
  if (!list) yield { what: `+ ${path}`, value: around({ ...node, 'a strange member': { '': [1.5] } }) };
  const keys = list ? Object.keys(node).slice(0, FIRST) : Object.keys(node);
  for (const key of keys) {
    const at = `${path}/${list ? 'N' : key}`;
    const inner = (node as Record<string, unknown>)[key];
    const put = (value: unknown) => around(list ? node.with(Number(key), value) : { ...node, [key]: value });
    if (!list) {
      const { [key]: _, ...rest } = node;
      yield { what: `- ${at}`, value: around(rest) };
    }
    // No member of any of these formats is an object with this name.
    yield { what: `~ ${at}`, value: put({ 'another type': [[]] }) };
    yield* below(root, inner, at, put);
  }
}
