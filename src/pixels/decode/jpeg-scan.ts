import { disorder, type JpegFrame, unsupported } from './jpeg-markers';

/** A scan header (ITU-T T.81 B.2.3), checked against its frame. */
export interface JpegScan {
  /** Which of the frame's components, with their Huffman tables. */
  readonly parts: readonly { readonly component: number; readonly dc: number; readonly ac: number }[];
  /** Spectral selection and successive approximation; 0, 63, 0, 0 in a sequential file whatever it says. */
  readonly ss: number;
  readonly se: number;
  readonly ah: number;
  readonly al: number;
}

/** Throws `jpeg_marker` for a header that fits no frame and `jpeg_unsupported` for an MCU larger than 10 blocks. */
export function readScan(body: Uint8Array, frame: JpegFrame): JpegScan {
  const [count = 0] = body;
  if (count < 1 || count > 4 || body.length !== 4 + 2 * count) {
    throw disorder('a scan header that fits its components', `${body.length} bytes`);
  }
  const parts = Array.from({ length: count }, (_, i) => {
    const [id = 0, tables = 0] = body.subarray(1 + 2 * i);
    const component = frame.components.findIndex((one) => one.id === id);
    if (component < 0) throw disorder('a component of the frame', `${id}`);
    return { component, dc: tables >> 4, ac: tables & 15 };
  });
  if (new Set(parts.map(({ component }) => component)).size !== count) {
    throw disorder('each component once in a scan', 'one twice');
  }
  if (parts.some(({ dc, ac }) => dc > 3 || ac > 3)) throw disorder('Huffman tables 0 to 3', 'another');
  const blocks = parts.reduce((sum, { component }) => {
    const { h, v } = frame.components[component] ?? { h: 1, v: 1 };
    return sum + h * v;
  }, 0);
  if (count > 1 && blocks > 10) throw unsupported('at most 10 blocks in a unit', `${blocks}`);
  if (!frame.progressive) return { parts, ss: 0, se: 63, ah: 0, al: 0 };
  const [ss = 0, se = 0, approximation = 0] = body.subarray(1 + 2 * count);
  const [ah, al] = [approximation >> 4, approximation & 15];
  const band = ss === 0 ? se === 0 : se >= ss && se <= 63 && count === 1;
  if (!band || al > 13 || (ah !== 0 && al !== ah - 1)) {
    throw disorder('a legal step of progression', `${ss}..${se}, bits ${ah} to ${al}`);
  }
  return { parts, ss, se, ah, al };
}

/**
 * Whether a progressive file leaves low coefficients unsent or unfinished: then the reference smooths between blocks,
 * which the decoder here does not do. (It looks at the first nine coefficients after the mean.)
 */
export function isUnfinished(scans: readonly JpegScan[], frame: JpegFrame): boolean {
  if (!frame.progressive) return false;
  return frame.components.some((_, component) => {
    const missing = new Array<number>(10).fill(1);
    for (const { parts, ss, se, al } of scans) {
      if (!parts.some((part) => part.component === component)) continue;
      for (let k = ss; k <= Math.min(9, se); k++) missing[k] = al;
    }
    return missing.slice(1).some((bits) => bits !== 0);
  });
}
