// What a host page and an embedded demo say to each other. Every message is one plain object marked with the version;
// both sides check the window it came from and its origin, and take nothing else.

export const VERSION = 1;

/** Schemes that a frame can be drawn in. */
export type Scheme = 'light' | 'dark';

/** From the host to the demo. The first one tells the demo where its host is. */
export interface HostMessage {
  readonly pixelproof: typeof VERSION;
  readonly type: 'hello' | 'scheme';
  readonly scheme: Scheme;
}

/** How one smoke run of a demo ended. */
interface DemoResult {
  readonly experiment: string;
  /** Who answered: `scripted`, `replay`, `local`, `drawn`. */
  readonly provider: string;
  readonly kind: 'measured' | 'replayed' | 'wiring';
  readonly complete: boolean;
  /** One sentence, null where the run did not complete. */
  readonly verdict: string | null;
  readonly root_digest: string | null;
  /** Whether the root digest is the published one. */
  readonly equal: boolean;
}

/**
 * From the demo to its host. `listening`, that it hears from now on, is the only one that goes to whoever is around it: a
 * hello that came sooner was lost.
 */
export type DemoMessage = { readonly pixelproof: typeof VERSION } & (
  | { readonly type: 'listening' }
  | { readonly type: 'ready'; readonly memory_only: boolean }
  /** Pixels that the demo needs, so that no second scroll bar appears. */
  | { readonly type: 'size'; readonly height: number }
  | { readonly type: 'result'; readonly result: DemoResult }
);

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

export function hostMessage(data: unknown): HostMessage | null {
  if (!isObject(data) || data.pixelproof !== VERSION) return null;
  const { type, scheme } = data;
  if (type !== 'hello' && type !== 'scheme') return null;
  if (scheme !== 'light' && scheme !== 'dark') return null;
  return { pixelproof: VERSION, type, scheme };
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isTextOrNull = (value: unknown): value is string | null => value === null || isText(value);

/** Taller than any demo: a frame that asks for more is not one of ours. */
const MOST_PIXELS = 20_000;

export function demoMessage(data: unknown): DemoMessage | null {
  if (!isObject(data) || data.pixelproof !== VERSION) return null;
  switch (data.type) {
    case 'listening':
      return { pixelproof: VERSION, type: 'listening' };
    case 'ready':
      return typeof data.memory_only === 'boolean'
        ? { pixelproof: VERSION, type: 'ready', memory_only: data.memory_only }
        : null;
    case 'size': {
      const { height } = data;
      if (typeof height !== 'number' || !(height > 0) || height > MOST_PIXELS) return null;
      return { pixelproof: VERSION, type: 'size', height };
    }
    case 'result': {
      const result = resultOf(data.result);
      return result === null ? null : { pixelproof: VERSION, type: 'result', result };
    }
    default:
      return null;
  }
}

function resultOf(value: unknown): DemoResult | null {
  if (!isObject(value)) return null;
  const { experiment, provider, kind, complete, verdict, root_digest, equal } = value;
  if (!isText(experiment) || !isText(provider)) return null;
  if (kind !== 'measured' && kind !== 'replayed' && kind !== 'wiring') return null;
  if (typeof complete !== 'boolean' || typeof equal !== 'boolean') return null;
  if (!isTextOrNull(verdict) || !isTextOrNull(root_digest)) return null;
  return { experiment, provider, kind, complete, verdict, root_digest, equal };
}
