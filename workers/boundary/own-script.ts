interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): unknown };
}

const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };

/** A host that sends the site's policy as a header binds workers by it: they too need a checked place for addresses. */
const policy = trustedTypes?.createPolicy('pixelproof', { createScriptURL: requireOwn });

function requireOwn(url: string): string {
  const whole = new URL(url, import.meta.url);
  if (whole.origin === location.origin) return whole.href;
  throw new TypeError(`A worker's script must be one of this site: ${whole.href}`);
}

/** Starts a module worker of this site from a worker. `url` comes from an import with `?worker&url`. */
export function ownNestedWorker(url: string, name: string): Worker {
  return new Worker((policy?.createScriptURL(url) ?? requireOwn(url)) as string, { type: 'module', name });
}
