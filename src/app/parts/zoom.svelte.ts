import { tick } from 'svelte';

const LIMIT = 32;
const STEP = 1.5;

/** Zoom and pan of one scrolling frame: factor 1 fits the picture to the frame. Panning is native scrolling. */
export class Zoom {
  factor = $state(1);
  /** Screen pixels that one picture pixel takes; at 1 and above the pixels are drawn as squares. */
  scale = $state(0);
  /** A pixel of the picture that the keyboard points at: zooming by key or button keeps it where it is. */
  anchor: { readonly x: number; readonly y: number } | null = $state.raw(null);
  #frame: HTMLElement | null = null;
  #width: () => number;

  constructor(pictureWidth: () => number) {
    this.#width = pictureWidth;
  }

  readonly attach = (frame: HTMLElement): (() => void) => {
    this.#frame = frame;
    const pointers = new Map<number, PointerEvent>();
    let apart = 0;
    const wheel = (event: WheelEvent): void => {
      if (!event.ctrlKey && !frame.matches(':focus')) return;
      event.preventDefault();
      void this.zoom(event.deltaY < 0 ? 1.2 : 1 / 1.2, event.clientX, event.clientY);
    };
    const down = (event: PointerEvent): void => {
      pointers.set(event.pointerId, event);
      apart = 0;
    };
    const move = (event: PointerEvent): void => {
      const before = pointers.get(event.pointerId);
      if (before === undefined) return;
      pointers.set(event.pointerId, event);
      const [one, two] = [...pointers.values()];
      if (one !== undefined && two !== undefined) {
        const now = Math.hypot(one.clientX - two.clientX, one.clientY - two.clientY);
        if (apart > 0) {
          void this.zoom(now / apart, (one.clientX + two.clientX) / 2, (one.clientY + two.clientY) / 2);
        }
        apart = now;
      } else if (event.pointerType === 'mouse') {
        frame.scrollBy(before.clientX - event.clientX, before.clientY - event.clientY);
      }
    };
    const up = (event: PointerEvent): void => {
      pointers.delete(event.pointerId);
      apart = 0;
    };
    const keys = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.target !== frame) return;
      if (event.key === '+' || event.key === '=') void this.in();
      else if (event.key === '-') void this.out();
      else if (event.key === '0') void this.fit();
      else return;
      event.preventDefault();
    };
    const observer = new ResizeObserver(() => this.#measure());
    observer.observe(frame);
    frame.addEventListener('wheel', wheel, { passive: false });
    frame.addEventListener('pointerdown', down);
    frame.addEventListener('pointermove', move);
    for (const end of ['pointerup', 'pointercancel', 'pointerleave'] as const)
      frame.addEventListener(end, up);
    frame.addEventListener('keydown', keys);
    return () => {
      observer.disconnect();
      frame.removeEventListener('wheel', wheel);
      frame.removeEventListener('pointerdown', down);
      frame.removeEventListener('pointermove', move);
      for (const end of ['pointerup', 'pointercancel', 'pointerleave'] as const) {
        frame.removeEventListener(end, up);
      }
      frame.removeEventListener('keydown', keys);
      this.#frame = null;
    };
  };

  in(): Promise<void> {
    return this.#about(STEP);
  }
  out(): Promise<void> {
    return this.#about(1 / STEP);
  }
  fit(): Promise<void> {
    return this.#about(1 / this.factor);
  }

  /** Zooms about a point of the screen, which keeps showing the same pixel. */
  async zoom(by: number, clientX: number, clientY: number): Promise<void> {
    const frame = this.#frame;
    if (frame === null) return;
    const next = Math.min(LIMIT, Math.max(1, this.factor * by));
    const box = frame.getBoundingClientRect();
    const x = clientX - box.left;
    const y = clientY - box.top;
    const ratio = next / this.factor;
    const left = (frame.scrollLeft + x) * ratio - x;
    const top = (frame.scrollTop + y) * ratio - y;
    this.factor = next;
    this.#measure();
    await tick();
    frame.scrollTo(left, top);
  }

  /** The picture's pixel at a point of the screen, or at the frame's centre. */
  pixel(height: number, point: { x: number; y: number } | null): { x: number; y: number } | null {
    const frame = this.#frame;
    const width = this.#width();
    if (frame === null || width === 0 || this.scale === 0) return null;
    const box = frame.getBoundingClientRect();
    const inside = point ?? { x: box.left + frame.clientWidth / 2, y: box.top + frame.clientHeight / 2 };
    const x = Math.floor((frame.scrollLeft + inside.x - box.left) / this.scale);
    const y = Math.floor((frame.scrollTop + inside.y - box.top) / this.scale);
    return x >= 0 && y >= 0 && x < width && y < height ? { x, y } : null;
  }

  /** Scrolls the frame, and nothing else, until a pixel of the picture is inside it. */
  reveal({ x, y }: { readonly x: number; readonly y: number }): void {
    const frame = this.#frame;
    if (frame === null) return;
    const into = (at: number, from: number, size: number): number =>
      at - this.scale < from
        ? at - this.scale
        : at + 2 * this.scale > from + size
          ? at + 2 * this.scale - size
          : from;
    frame.scrollTo(
      into(x * this.scale, frame.scrollLeft, frame.clientWidth),
      into(y * this.scale, frame.scrollTop, frame.clientHeight),
    );
  }

  #about(by: number): Promise<void> {
    const frame = this.#frame;
    if (frame === null) return Promise.resolve();
    const box = frame.getBoundingClientRect();
    const at = this.anchor;
    return at === null
      ? this.zoom(by, box.left + box.width / 2, box.top + box.height / 2)
      : this.zoom(
          by,
          box.left + (at.x + 0.5) * this.scale - frame.scrollLeft,
          box.top + (at.y + 0.5) * this.scale - frame.scrollTop,
        );
  }

  #measure(): void {
    const width = this.#width();
    this.scale = this.#frame === null || width === 0 ? 0 : (this.#frame.clientWidth * this.factor) / width;
  }
}
