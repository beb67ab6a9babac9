interface ScriptUrlPolicy {
  createScriptURL(url: string): unknown;
}
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): ScriptUrlPolicy;
}

const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };

/** The one place that turns a text into a script's address. The page's policy allows no other (`trusted-types`). */
const policy = trustedTypes?.createPolicy('pixelproof', { createScriptURL: requireOwn });

function requireOwn(url: string): string {
  const whole = new URL(url, document.baseURI);
  if (whole.origin === location.origin) return whole.href;
  throw new TypeError(`A worker's script must be one of this site: ${whole.href}`);
}

/** A script of this site as the platform takes it: a `TrustedScriptURL` where there is such a thing. */
export function ownScript(url: string): string {
  return (policy?.createScriptURL(url) ?? requireOwn(url)) as string;
}

/** Starts a module worker of this site. `url` comes from an import with `?worker&url`. */
export function ownWorker(url: string, name: string): Worker {
  return new Worker(ownScript(url), { type: 'module', name });
}
