import { PixelproofError } from '../../errors';
import { decodeAs } from './decode-as';
import type { DecodedImage } from './decoded';
import { isExactHere } from './self-test';
import { extensionContradicts, sniffImage } from './sniff';

/**
 * The RGB pixels of a PNG, JPEG or WebP file as Pillow's `convert("RGB")` gives them. The content says what the file is;
 * an extension that says something else is a warning (`extension_mismatch`). `exact` is false where the self-test of
 * this environment failed for the format; then there is a warning `not_bit_exact` too.
 *
 * Throws `image_format_unknown` for everything else, and what the decoder of the format throws.
 */
export async function decodeImage(bytes: Uint8Array, fileName = ''): Promise<DecodedImage> {
  const { format, name, picture } = sniffImage(bytes);
  if (format === null) {
    const what = picture ? 'not read here' : 'no picture that is read here';
    throw new PixelproofError('image_format_unknown', `${name}: ${what}; PNG, JPEG and WebP are.`);
  }
  const exact = await isExactHere(format);
  const image = await decodeAs(format, bytes);
  const warnings = [...image.warnings];
  if (extensionContradicts(fileName, format)) {
    warnings.push({ code: 'extension_mismatch', message: `The file is ${name}, whatever its name says.` });
  }
  if (!exact) {
    warnings.push({
      code: 'not_bit_exact',
      message: `Not bit-exact here: ${name} pixels may differ from the reference.`,
    });
  }
  return { ...image, exact: image.exact && exact, warnings };
}
