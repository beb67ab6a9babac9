import type { DecodedImage } from './decoded';
import { readJpeg, unsupported } from './jpeg-markers';
import { jpegPixels } from './jpeg-pixels';
import { isUnfinished, type JpegScan, readScan } from './jpeg-scan';
import { decodeByTurbo, TURBO_DECODER } from './jpeg-turbo';

const JPEG_DECODER = 'pixelproof-jpeg/1';
/** Real progressive files have about ten; thousands would cost minutes for nothing. */
const MAX_SCANS = 500;

/**
 * The pixels that Pillow's `convert("RGB")` gives for a JPEG file: libjpeg-turbo's integer transform and its smooth
 * chroma upsampling, grey replicated, profiles and rotation ignored; four components are taken as Adobe's inverted CMYK.
 *
 * Throws what `readJpeg`, `readScan` and `jpegPixels` throw.
 */
export async function decodeJpeg(bytes: Uint8Array): Promise<DecodedImage> {
  const file = readJpeg(bytes);
  const { frame, warnings } = file;
  const { width, height, components } = frame;
  const scans = file.segments.flatMap((one): JpegScan[] =>
    one.kind === 'scan' ? [readScan(one.body, frame)] : [],
  );
  if (scans.length > MAX_SCANS) throw unsupported(`at most ${MAX_SCANS} scans`, `${scans.length}`);
  const image = { width, height, format: 'jpeg', exact: true, warnings } as const;
  const unfinished = isUnfinished(scans, frame);
  if (!frame.arithmetic && !unfinished)
    return { ...image, data: jpegPixels(file, bytes), decoder: JPEG_DECODER };
  if (components.length !== 4) {
    try {
      return { ...image, data: await decodeByTurbo(file), decoder: TURBO_DECODER };
    } catch (error) {
      // The library's door is closed to rare sampling factors; then the picture is had without the smoothing.
      if (frame.arithmetic) throw error;
    }
  }
  if (frame.arithmetic) throw unsupported('Huffman coding for four components', 'arithmetic coding');
  const data = jpegPixels(file, bytes);
  const rough = {
    code: 'jpeg_unfinished',
    message:
      'Not bit-exact here: a progressive file that never sent its last bits, which the reference smooths.',
  };
  return { ...image, data, decoder: JPEG_DECODER, exact: false, warnings: [...warnings, rough] };
}
