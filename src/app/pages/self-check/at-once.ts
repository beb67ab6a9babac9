import { type Fact, having } from '../../../lab/self-check/report';
import { wasmFeatures } from '../../../lab/self-check/wasm-features';
import { bytes, count } from '../../format';
import { siteUpdate } from '../../site-update.svelte';

/** What can be said without waiting, and without asking the machine to do anything. */
export function factsAtOnce(): Fact[] {
  const { wasm, simd, threads } = wasmFeatures();
  const cores: number | undefined = navigator.hardwareConcurrency;
  const controlled = siteUpdate.offline;
  return [
    having('wasm', wasm),
    having('wasm_simd', simd),
    having('wasm_threads', threads),
    having('isolation', crossOriginIsolated, 'isolated', 'not isolated'),
    cores === undefined
      ? { id: 'cores', state: 'no', value: null, says: 'not told' }
      : { id: 'cores', state: 'measured', value: cores, says: count(cores) },
    having('offline', controlled, 'kept', 'not kept, or not yet'),
    having('trusted_types', 'trustedTypes' in globalThis),
  ];
}

/** Room and whether it is kept, which a browser answers in a moment. */
export async function storageFacts(): Promise<Fact[]> {
  return [await quotaFact(), await persistentFact()];
}

async function quotaFact(): Promise<Fact> {
  try {
    const { quota, usage } = await navigator.storage.estimate();
    if (quota === undefined || usage === undefined) throw new DOMException('not told', 'NotSupportedError');
    return {
      id: 'quota',
      state: 'measured',
      value: { quota_bytes: quota, used_bytes: usage },
      says: `${bytes(usage)} of ${bytes(quota)} used, as the browser says`,
    };
  } catch {
    return { id: 'quota', state: 'no', value: null, says: 'this browser does not tell' };
  }
}

export async function persistentFact(): Promise<Fact> {
  try {
    return having('persistent', await navigator.storage.persisted());
  } catch {
    return { id: 'persistent', state: 'no', value: null, says: 'this browser does not tell' };
  }
}
