import { VERSION } from '../src/embed/messages';
import { type Entry, elsewhere, entry } from './entry';
import { flag, is, kind, number, object, oneOf, or, orNull, text } from './forms';

const marked = { pixelproof: is(VERSION) };
const scheme = oneOf(['light', 'dark']);
const result = object({
  experiment: text,
  provider: text,
  kind,
  complete: flag,
  verdict: orNull(text),
  root_digest: orNull(text),
  equal: flag,
});

export const EMBED: readonly Entry[] = [
  entry(
    'embed-host-message',
    [elsewhere('postMessage from a host page to an embedded demo')],
    'What a host page says to a demo',
    'The first message tells the demo where its host is.',
    object({ ...marked, type: oneOf(['hello', 'scheme']), scheme }),
  ),
  entry(
    'embed-demo-message',
    [elsewhere('postMessage from an embedded demo to its host')],
    'What a demo says to its host page',
    'Check the source and origin of a message before its form.',
    or(
      object({ ...marked, type: is('ready'), memory_only: flag }),
      object({ ...marked, type: is('size'), height: number }),
      object({ ...marked, type: is('result'), result }),
    ),
  ),
  entry(
    'embed-result',
    [elsewhere('`detail` of the event `pixelproof-result`')],
    'Result of a smoke run of a demo',
    'Also the member `result` of the message.',
    result,
  ),
];
