import type { Json, JsonObject } from '../../evidence/identity/json';
import type { ImageQuestion } from '../provider';
import type { Auth } from '../secret';
import type { AliasRule } from './model-name';
import type { Root } from './scored-body';

/** A model as a server lists it. */
export interface ListedModel {
  readonly name: string;
  /** Of the weights, where the server says one. */
  readonly digest: string | null;
  /** Whether it takes pictures; null where the server does not say. */
  readonly images: boolean | null;
}

/** What a reply's body says, before it is judged. */
export interface ReaderReply {
  /** Null where the reply has no text: a refusal, a block, or nothing but thoughts. */
  readonly text: string | null;
  /** Why there is no text or why it ends, in the server's own words. */
  readonly ended: string | null;
  /** The server's own words where it, not the model, ended the reply before it was whole; null for an answer. */
  readonly unfinished: string | null;
  readonly model: unknown;
  readonly prompt: unknown;
  readonly completion: unknown;
}

/** How one kind of server is asked about a picture and answers in words. Pure: the verifier makes the same bytes. */
export interface ReaderShape {
  readonly id: string;
  readonly name: string;
  readonly auth: Auth;
  readonly alias: AliasRule;
  /** Sent with every call, beside the key. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The route takes no seed. */
  readonly seedless?: true;
  readonly modelsPath: string;
  /** Whether its list says digests of weights; of the others no record can have one. */
  readonly listsDigests: boolean;
  models(root: Root): readonly ListedModel[];
  path(model: string): string;
  body(model: string, seed: number, question: AskedPicture): JsonObject;
  /** Throws `provider_reply_shape`. */
  read(root: Root): ReaderReply;
}

/** The parts of a question that enter a request. */
export type AskedPicture = Pick<ImageQuestion, 'image' | 'mediaType' | 'prompt' | 'answer'>;

export const list = (value: unknown): readonly Root[] =>
  Array.isArray(value)
    ? (value as readonly Root[]).filter((item) => typeof item === 'object' && item !== null)
    : [];
export const object = (value: unknown): Root =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Root) : {};
/** Whether a member has a value: servers write null for one that has none. */
export const present = (value: unknown): boolean => value !== undefined && value !== null;
export const textOr = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** What a server says in an `error` member, null where there is none. */
export function errorWords(error: unknown): string | null {
  if (!present(error)) return null;
  return textOr(object(error).message) ?? textOr(error) ?? JSON.stringify(error);
}

/** A member only where it has a value: what a server does not know it may refuse. */
export function given(name: string, value: Json | null): JsonObject {
  return value === null ? {} : { [name]: value };
}
