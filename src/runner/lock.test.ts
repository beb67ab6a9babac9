import { describe, expect, it } from 'vitest';
import { type LockManagerLike, webLocks } from './lock';

/** Web Locks as one page sees them: a name is free or held. */
function manager(): LockManagerLike {
  const held = new Set<string>();
  return {
    request: async (name, _options, callback) => {
      if (held.has(name)) return callback(null);
      held.add(name);
      await callback({ name });
      held.delete(name);
    },
  };
}

describe('web locks', () => {
  it('give a run to one tab at a time', async () => {
    const shared = manager();
    const [one, other] = [webLocks(shared), webLocks(shared)];
    const release = await one.acquire('r1');
    expect(await other.acquire('r1')).toBeNull();
    const another = await other.acquire('r2');
    another?.();
    release?.();
    await Promise.resolve();
    expect(await other.acquire('r1')).not.toBeNull();
  });

  it('are those of the process where the browser denies them', async () => {
    const denying: LockManagerLike = {
      request: () => Promise.reject(new DOMException('The request was denied.', 'SecurityError')),
    };
    const locks = webLocks(denying);
    const release = await locks.acquire('r1');
    expect(await locks.acquire('r1')).toBeNull();
    release?.();
    expect(await locks.acquire('r1')).not.toBeNull();
  });

  it('pass on what else goes wrong', async () => {
    const failing: LockManagerLike = { request: () => Promise.reject(new Error('broken')) };
    await expect(webLocks(failing).acquire('r1')).rejects.toThrow('broken');
  });
});
