import { failureOf } from '../../failure';
import { player } from './player.svelte';

/** Our own cartridge, an asset of the site. */
const images = import.meta.glob<string>('../../../../fixtures/cartridge/*.bin', {
  query: '?url',
  import: 'default',
});
const load = Object.values(images)[0] ?? null;

/** Puts our own cartridge in, by Pong's rules, which it keeps to. Null where the site has none. */
export const builtIn: (() => Promise<void>) | null =
  load === null
    ? null
    : async () => {
        try {
          const response = await fetch(new URL(await load(), document.baseURI));
          await player.load(new Uint8Array(await response.arrayBuffer()), 'Paddle', {
            game: 'pong',
            seed: 0,
            sticky: 0,
          });
        } catch (thrown) {
          player.trouble = {
            title: 'The cartridge did not arrive',
            next: 'Check the connection and press again.',
            failure: failureOf(thrown),
          };
        }
      };
