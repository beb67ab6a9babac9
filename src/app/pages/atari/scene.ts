import type { FrameView } from '../../../../workers/atari-api';

// Where Pong keeps its objects, and the edge of its court (rows of the picture).
const COURT_TOP = 34;
const COURT_BOTTOM = 194;
const PADDLE = 15;

/** What a frame shows, in words. Only games whose RAM is known are described beyond their frame number. */
export function sceneOf(title: string, game: string | null, frame: FrameView | null): string {
  if (frame === null) return `${title}: no frame yet`;
  const head = `${title}, frame ${frame.frame}`;
  if (game !== 'pong') {
    const score = frame.score === null ? '' : `, score ${frame.score}`;
    return `${head}${score}. What it shows is not described for this game.`;
  }
  const at = (address: number) => frame.ram[address] ?? 0;
  const parts = [`${head}. Score: computer ${at(13)}, you ${at(14)}.`];
  parts.push(
    at(54) !== 0 && at(49) > 49 ? `Ball at column ${at(49) - 49}, row ${at(54) - 14}.` : 'No ball in play.',
  );
  parts.push(
    `Your paddle on the right, ${rows(at(51), 13)}; the computer’s on the left, ${rows(at(50), 15)}.`,
  );
  if (frame.terminated) parts.push('The game is over.');
  return parts.join(' ');
}

function rows(value: number, offset: number): string {
  if (value < COURT_TOP) return 'absent';
  const top = Math.max(COURT_TOP, value - offset);
  return `rows ${top} to ${Math.min(COURT_BOTTOM - 1, top + PADDLE - 1)}`;
}
