import UPNG from 'upng-js';
import { expect, it } from 'vitest';
import { ApngWriter } from './apng';
import { encodePng } from './png-encode';

const picture = (shade: number, width = 16) => ({
  width,
  height: 9,
  data: Uint8Array.from({ length: width * 9 * 3 }, (_, i) => (i * shade) & 255),
});

it('another reader finds every frame with its exact pixels and delay', () => {
  const writer = new ApngWriter(1, 50);
  const shades = [3, 7, 11];
  for (const shade of shades) writer.add(encodePng(picture(shade)));
  expect(writer.frames).toBe(3);
  const file = UPNG.decode(writer.finish().buffer);
  expect(file.frames.map((frame) => frame.delay)).toEqual([20, 20, 20]);
  const read = UPNG.toRGBA8(file).map((rgba) => new Uint8Array(rgba).filter((_, i) => i % 4 !== 3));
  expect(read).toEqual(shades.map((shade) => picture(shade).data));
});

it('refuses a frame of another size, and an animation without frames', () => {
  const writer = new ApngWriter(1, 60);
  expect(() => writer.finish()).toThrowError(expect.objectContaining({ code: 'apng_empty' }));
  writer.add(encodePng(picture(3)));
  expect(() => writer.add(encodePng(picture(3, 17)))).toThrowError(
    expect.objectContaining({ code: 'apng_frame_size' }),
  );
});
