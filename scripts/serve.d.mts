/** What the tests use of serve.mjs. */
export function serve(options: {
  folder: string;
  base?: string;
  port?: number;
  headers?: Readonly<Record<string, string>>;
  tls?: { readonly key: Uint8Array; readonly cert: Uint8Array } | null;
}): Promise<{ url: string; close: () => Promise<unknown> }>;
