// Colours by TIA colour register value. Hexadecimal RGB, the eight luminances of a hue a line; measured from the
// reference's screen (fixtures/atari/palette.json).

const NTSC = [
  '0000004a4a4a6f6f6f8e8e8eaaaaaac0c0c0d6d6d6ececec',
  '48480069690f86861da2a22abbbb35d2d240e8e84afcfc54',
  '7c2c00904811a26221b47a30c3903dd2a44adfb755ecc860',
  '901c00a33915b55328c66c3ad5824ae39759f0aa67fcbc74',
  '940000a71a1ab83232c84848d65c5ce46f6ff08080fc9090',
  '84006497197aa8308fb846a2c659b3d46cc3e07cd2ec8ce0',
  '50008468199a7d30ad9246c0a459d0b56ce0c57ceed48cfc',
  '140090331aa34e32b56848c67f5cd5956fe3a980f0bc90fc',
  '000094181aa72d32b84248c8545cd6656fe47580f08490fc',
  '001c88183b9d2d57b04272c2548ad265a0e175b5ef84c8fc',
  '0030641850802d6d984288b054a0c565b7d975cceb84e0fc',
  '00403018624e2d8169429e8254b89965d1ae75e7c284fcd4',
  '0044001a661a32843248a0485cba5c6fd26f80e88090fc90',
  '143c00355f18527e2d6e9c4287b7549ed065b4e775c8fc84',
  '3038005059166d762b88923ea0ab4fb7c25fccd86ee0ec7c',
  '482c00694d14866a26a28638bb9f47d2b656e8cc63fce070',
];

const PAL = [
  '0000002b2b2b525252767676979797b6b6b6d2d2d2ececec',
  '0000002b2b2b525252767676979797b6b6b6d2d2d2ececec',
  '80580096711aab8732be9c48cfaf5cdfc06feed180fce090',
  '445c005e791a7693328cac48a0c25cb3d76fc4ea80d4fc90',
  '70340089511aa06b32b68448c99a5cdcaf6fecc280fcd490',
  '0064141a803532985248b06e5cc5876fd99e80ebb490fcc8',
  '700014891a35a03252b6486ec95c87dc6f9eec80b4fc90c8',
  '005c5c1a7676328e8e48a4a45cb8b86fcbcb80dcdc90ecec',
  '70005c841a74963289a8489eb75cb0c66fc1d380d1e090e0',
  '003c70195a892f75a0448eb657a5c968badc79ceec88e0fc',
  '5800706e1a898332a09648b6a75cc9b76fdcc680ecd490fc',
  '002070193f892f5aa04474b6578bc968a1dc79b5ec88c8fc',
  '3400804a1a965f32ab7248be835ccf936fdfa280eeb090fc',
  '0000881a1a9d3232b04848c25c5cd26f6fe18080ef9090fc',
  '0000002b2b2b525252767676979797b6b6b6d2d2d2ececec',
  '0000002b2b2b525252767676979797b6b6b6d2d2d2ececec',
];

/**
 * 256 words 0x00BBGGRR by register value. Odd values occur only with PAL colour loss and show the grey of the colour:
 * 0.2989 R + 0.587 G + 0.114 B, rounded.
 */
export function palette(format: 'NTSC' | 'PAL'): Uint32Array {
  const text = (format === 'PAL' ? PAL : NTSC).join('');
  const words = new Uint32Array(256);
  for (let i = 0; i < 128; i += 1) {
    const rgb = Number.parseInt(text.slice(i * 6, i * 6 + 6), 16);
    const r = rgb >> 16;
    const g = (rgb >> 8) & 255;
    const b = rgb & 255;
    words[2 * i] = (b << 16) | (g << 8) | r;
    words[2 * i + 1] = Math.round(0.2989 * r + 0.587 * g + 0.114 * b) * 0x10101;
  }
  return words;
}
