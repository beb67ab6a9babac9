import { expose } from 'comlink';
import { guard, toWorkerError } from './errors';

/**
 * Serves an engine that takes a moment to load. A worker dispatches messages while its modules still wait (hashing and
 * pixels instantiate WebAssembly), and a message that nobody listens to is lost: they are held and played back.
 */
export function serve(load: () => Promise<{ readonly api: object }>): void {
  const held: MessageEvent[] = [];
  const hold = (event: MessageEvent): void => {
    held.push(event);
  };
  self.addEventListener('message', hold);
  const open = (api: object): void => {
    self.removeEventListener('message', hold);
    expose(api);
    for (const { data, ports } of held.splice(0)) {
      self.dispatchEvent(new MessageEvent('message', { data, ports: [...ports] }));
    }
  };
  load().then(
    ({ api }) => open(guard(api)),
    (error: unknown) => open(failing(error)),
  );
}

/** Answers every call with why the engine did not load, so that no page waits for ever. */
function failing(error: unknown): object {
  return new Proxy(
    {},
    {
      get: () => async () => {
        throw toWorkerError(error);
      },
    },
  );
}
