/** One line of the self-check: what is looked at, and what it is for. */
export interface Line {
  readonly id: string;
  readonly title: string;
  readonly purpose: string;
}

/** Lines under one heading, in the order in which they are shown. */
export interface Group {
  readonly title: string;
  readonly lines: readonly Line[];
}

/** Everything that a browser is asked. Node is asked the lines that it has, too. */
export const GROUPS: readonly Group[] = [
  {
    title: 'Engine',
    lines: [
      {
        id: 'wasm',
        title: 'WebAssembly',
        purpose: 'The Atari core, the pixel kernels and hashing. Nothing runs without it.',
      },
      {
        id: 'wasm_simd',
        title: 'WebAssembly SIMD',
        purpose: 'Models in the page, and fast picture measurement.',
      },
      {
        id: 'wasm_threads',
        title: 'WebAssembly threads',
        purpose: 'Faster models in the page, together with isolation.',
      },
      {
        id: 'isolation',
        title: 'Cross-origin isolation',
        purpose: 'Lets memory be shared between threads. The host of the site sends two headers for it.',
      },
      {
        id: 'cores',
        title: 'Processor cores, as told',
        purpose: 'How many players a sweep starts. Some browsers tell fewer.',
      },
      { id: 'timer', title: 'Smallest step of the clock', purpose: 'How exact latencies and speeds can be.' },
      {
        id: 'webgpu',
        title: 'WebGPU adapter',
        purpose: 'Models in the page and picture measurement on the graphics card.',
      },
    ],
  },
  {
    title: 'Pictures',
    lines: [
      {
        id: 'own_png',
        title: 'PNG by our decoder',
        purpose: 'Pixels that count as evidence: equal to the reference’s.',
      },
      {
        id: 'own_jpeg',
        title: 'JPEG by our decoder',
        purpose: 'Pixels that count as evidence: equal to the reference’s.',
      },
      {
        id: 'own_webp',
        title: 'WebP by our decoder',
        purpose: 'Pixels that count as evidence: equal to the reference’s.',
      },
      {
        id: 'browser_png',
        title: 'PNG by the browser',
        purpose: 'For information: evidence never passes the browser’s decoder.',
      },
      {
        id: 'browser_jpeg',
        title: 'JPEG by the browser',
        purpose: 'For information: evidence never passes the browser’s decoder.',
      },
      {
        id: 'browser_webp',
        title: 'WebP by the browser',
        purpose: 'For information: evidence never passes the browser’s decoder.',
      },
      {
        id: 'canvas',
        title: 'Canvas gives back what was put in',
        purpose:
          'The pixel under the pointer, as shown. Some browsers add noise; no evidence passes a canvas.',
      },
      { id: 'video', title: 'Video encoders', purpose: 'Films of an Atari episode as WebM.' },
    ],
  },
  {
    title: 'Storage',
    lines: [
      { id: 'quota', title: 'Room', purpose: 'Runs, and models that were downloaded.' },
      {
        id: 'persistent',
        title: 'Kept when room gets short',
        purpose: 'Else the browser may delete everything of this site at once.',
      },
      {
        id: 'indexeddb',
        title: 'IndexedDB: written, read back, deleted',
        purpose: 'Keeps runs. Without it they live in memory.',
      },
      {
        id: 'opfs',
        title: 'Private files: written, read back, deleted',
        purpose: 'For information: nothing of ours is kept there.',
      },
      { id: 'locks', title: 'Web Locks', purpose: 'Two tabs never write one run.' },
      { id: 'offline', title: 'Offline copy of the site', purpose: 'Opens without a network.' },
      {
        id: 'trusted_types',
        title: 'Trusted Types',
        purpose: 'The browser itself refuses text where a script could hide.',
      },
    ],
  },
  {
    title: 'Speed',
    lines: [
      { id: 'sha256_platform', title: 'SHA-256 by the platform', purpose: 'Digests of pictures and files.' },
      { id: 'sha256_wasm', title: 'SHA-256 in WebAssembly', purpose: 'Digests of small records.' },
      {
        id: 'atari',
        title: 'Atari core',
        purpose: 'Frames of our own cartridge, a byte of RAM read each; the console shows 60 a second.',
      },
      { id: 'png', title: 'PNG steps', purpose: 'A picture drawn, changed, encoded and hashed.' },
    ],
  },
];

/** The line of an id; throws a `RangeError` for an id of none. */
export function lineOf(id: string): Line {
  for (const { lines } of GROUPS) for (const line of lines) if (line.id === id) return line;
  throw new RangeError(`The self-check has no line ${id}.`);
}
