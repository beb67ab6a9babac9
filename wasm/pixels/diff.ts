// Where two RGB images of equal size differ.

/** Writes one byte a pixel to `mask`, 255 where any channel differs, else 0. Returns the count of such pixels. */
export function diffPixels(a: usize, b: usize, pixels: i32, mask: usize): i32 {
  let count = 0;
  for (let i = 0; i < pixels; i++) {
    const differs =
      load<u8>(a) != load<u8>(b) || load<u8>(a, 1) != load<u8>(b, 1) || load<u8>(a, 2) != load<u8>(b, 2);
    store<u8>(mask + <usize>i, differs ? 255 : 0);
    if (differs) count++;
    a += 3;
    b += 3;
  }
  return count;
}
