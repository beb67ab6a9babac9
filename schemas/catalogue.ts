import { BUNDLE } from './bundle';
import { COMMAND_LINE } from './command-line';
import { EMBED } from './embed';
import { type Entry, elsewhere, entry } from './entry';
import { IMAGE_SIGNALS } from './image-signals';
import { PNG_REPRESENTATION } from './png-representation';
import { PONG_CONTROLS } from './pong-controls';
import { VISION_CONTROLS } from './vision-controls';

/** Every schema of JSON that leaves this program or enters it, in the order of docs/schemas.md. */
export const CATALOGUE: readonly Entry[] = [
  ...BUNDLE,
  ...PNG_REPRESENTATION,
  entry(
    'classifier-card',
    [elsewhere('the card of a classifier of one’s own: `--model-card`, the page')],
    'Card of an ONNX image classifier',
    'Written by hand; see the file.',
    null,
  ),
  ...PONG_CONTROLS,
  ...VISION_CONTROLS,
  ...IMAGE_SIGNALS,
  ...COMMAND_LINE,
  ...EMBED,
];
