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

function ownScript(url: string): string {
  return (policy?.createScriptURL(url) ?? requireOwn(url)) as string;
}

/** Starts a module worker of this site from a worker. `url` comes from an import with `?worker&url`. */
export function ownNestedWorker(url: string, name: string): Worker {
  return new Worker(ownScript(url), { type: 'module', name });
}

/**
 * From now on whatever in this worker starts a worker by an address as text does so through the policy, and only with
 * a script of this site: a library that starts its own threads knows no policy.
 */
export function checkWorkerAddresses(): void {
  const Unchecked = self.Worker;
  self.Worker = class extends Unchecked {
    constructor(address: string | URL, options?: WorkerOptions) {
      super(ownScript(String(address)), options);
    }
  };
}
