// Made at the first need: a browser takes longer to make one than to draw the page that may not need it.
let dateTime: Intl.DateTimeFormat | null = null;
let whole: Intl.NumberFormat | null = null;
const THOUSANDS = /\B(?=(?:\d{3})+$)/g;

export function when(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  dateTime ??= new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
  return dateTime.format(date);
}

/** A number in figures, thousands set apart: `1,232`. */
export function count(value: number): string {
  if (Number.isSafeInteger(value)) return String(value).replace(THOUSANDS, ',');
  whole ??= new Intl.NumberFormat('en-GB');
  return whole.format(value);
}

/** `1 case`, `8 cases`. */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

export function bytes(value: number): string {
  if (value < 1024) return `${value} B`;
  const units = ['KiB', 'MiB', 'GiB', 'TiB'];
  let size = value / 1024;
  let unit = 0;
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} ${units[unit] ?? ''}`;
}

export function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes} min ${Math.round(seconds % 60)} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** About how long is left; never more precise than it can be. */
export function timeLeft(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  if (seconds <= 1) return 'about a second left';
  if (seconds < 90) return `about ${seconds} seconds left`;
  return `about ${Math.round(seconds / 60)} minutes left`;
}

/** Microseconds as milliseconds, the way a person compares them. */
export function latency(microseconds: number | null): string {
  return microseconds === null ? '–' : `${count(Math.round(microseconds / 1000))} ms`;
}
