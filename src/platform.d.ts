/**
 * The globals that a window, a worker and Node 20 share, and nothing else. The shared TypeScript project has no
 * DOM library, so code that reaches for `document`, `window` or `localStorage` there does not compile.
 */
declare class TextEncoder {
  encode(input?: string): Uint8Array<ArrayBuffer>;
}
declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
  decode(input?: ArrayBufferView | ArrayBuffer, options?: { stream?: boolean }): string;
}
interface AbortSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted(): void;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}
declare const AbortSignal: {
  timeout(milliseconds: number): AbortSignal;
  any(signals: Iterable<AbortSignal>): AbortSignal;
  abort(reason?: unknown): AbortSignal;
};
declare class AbortController {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
}
declare class DOMException extends Error {
  constructor(message?: string, name?: string);
}
interface ReadableStreamReader<T> {
  read(): Promise<{ done: false; value: T } | { done: true; value: undefined }>;
  cancel(reason?: unknown): Promise<void>;
  releaseLock(): void;
}
interface ReadableStream<T = unknown> {
  getReader(): ReadableStreamReader<T>;
  cancel(reason?: unknown): Promise<void>;
}
declare const ReadableStream: {
  new <T>(source: {
    pull(controller: { enqueue(chunk: T): void; close(): void }): Promise<void> | void;
    cancel(reason?: unknown): Promise<void> | void;
  }): ReadableStream<T>;
};
interface Headers {
  get(name: string): string | null;
}
interface Response {
  readonly ok: boolean;
  readonly status: number;
  readonly redirected: boolean;
  readonly type: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: ReadableStream<Uint8Array> | null;
  text(): Promise<string>;
  arrayBuffer(): Promise<ArrayBuffer>;
}
declare const Response: {
  new (body: Uint8Array<ArrayBuffer>, init?: { status?: number; headers?: Record<string, string> }): Response;
};
interface RequestInit {
  method?: string;
  headers?: Record<string, string>;
  body?: Uint8Array<ArrayBuffer> | string;
  signal?: AbortSignal;
  redirect?: 'error' | 'follow' | 'manual';
  credentials?: 'omit' | 'same-origin' | 'include';
  cache?: 'no-store' | 'default';
  mode?: 'cors' | 'no-cors';
}
declare function fetch(input: string, init?: RequestInit): Promise<Response>;
declare class URL {
  constructor(input: string, base?: string);
  readonly origin: string;
  readonly protocol: string;
  readonly hostname: string;
  readonly host: string;
  readonly port: string;
  readonly href: string;
  readonly pathname: string;
  readonly username: string;
  readonly password: string;
  readonly search: string;
  readonly hash: string;
}
declare const crypto: {
  readonly subtle:
    | { digest(algorithm: 'SHA-256', data: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> }
    | undefined;
  randomUUID(): string;
  getRandomValues<T extends Uint8Array>(array: T): T;
};
declare const performance: { now(): number };
declare function setTimeout(handler: () => void, milliseconds?: number): number | object;
declare function clearTimeout(handle: number | object | undefined): void;
declare function queueMicrotask(callback: () => void): void;
declare function atob(data: string): string;
declare function btoa(data: string): string;
declare function structuredClone<T>(value: T): T;
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array<ArrayBuffer>);
  }
  class Instance {
    constructor(module: Module, imports?: Record<string, Record<string, unknown>>);
    readonly exports: Record<string, unknown>;
  }
  class Memory {
    constructor(descriptor: { initial: number; maximum?: number });
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
  function compile(bytes: Uint8Array<ArrayBuffer>): Promise<Module>;
  function validate(bytes: Uint8Array<ArrayBuffer>): boolean;
}
/** A file of ours that travels inside a module, as a `data:` URL. */
declare module '*.bin?url&inline' {
  const url: string;
  export default url;
}
