/** [x, y, width, height] in pixels, whole numbers, origin at the top left. */
export type Box = readonly [x: number, y: number, width: number, height: number];

export const OBJECTS = ['player', 'opponent', 'ball'] as const;
export type ObjectId = (typeof OBJECTS)[number];
export type Boxes = Readonly<Record<ObjectId, Box | null>>;

/** Rows of the field: 34 to 193. */
const TOP = 34;
const BOTTOM = 194;
const PADDLE_HEIGHT = 15;

/** Where the objects are, from the 128 bytes of RAM. Source: the published extractor `pong-ocatari-derived-v1`. */
export function boxesFromRam(ram: Uint8Array): Boxes {
  const byte = (at: number) => ram[at] ?? 0;
  return { player: player(byte(51)), opponent: opponent(byte(50)), ball: ball(byte(49), byte(54)) };
}

function player(low: number): Box | null {
  if (low < TOP) return null;
  const y = Math.max(TOP, low - 13);
  const height = low < 47 ? low - 33 : Math.min(PADDLE_HEIGHT, BOTTOM - y);
  return height > 0 ? [140, y, 4, height] : null;
}

function opponent(low: number): Box | null {
  if (low <= 33) return null;
  const y = Math.max(TOP, low - 15);
  const height = Math.min(PADDLE_HEIGHT, low - 33, BOTTOM - y);
  return height > 0 ? [16, y, 4, height] : null;
}

function ball(x: number, y: number): Box | null {
  return y !== 0 && x > 49 ? [x - 49, y - 14, 2, 4] : null;
}

/** Vertical centre in pixels, a multiple of a half. */
function centreY([, y, , height]: Box): number {
  return y + height / 2;
}

/** Ball centre minus player centre, positive where the ball is lower; null when either is absent. */
export function verticalGap({ ball, player }: Boxes): number | null {
  return ball === null || player === null ? null : centreY(ball) - centreY(player);
}
