import type { PongPicture } from '../../../../workers/pong-api';
import type { Boxes } from '../../../experiments/pong-controls/boxes';

export const ACTION_NAMES = ['NOOP', 'FIRE', 'RIGHT', 'LEFT', 'RIGHTFIRE', 'LEFTFIRE'] as const;
const EFFECTS = ['hold', 'hold', 'up', 'down', 'up', 'down'] as const;
export type Effect = (typeof EFFECTS)[number];

export function effectOf(action: number): Effect {
  return EFFECTS[action] ?? 'hold';
}

/** `2 RIGHT (up)`. */
export function actionText(action: number): string {
  return `${ACTION_NAMES[action] ?? action} (${effectOf(action)})`;
}

/** A net reward with its sign, as people read it. */
export function signed(value: number): string {
  return value > 0 ? `+${value}` : value < 0 ? `−${Math.abs(value)}` : '0';
}

export function netText(scored: number, lost: number): string {
  return `${scored} / ${lost} = ${signed(scored - lost)}`;
}

/** What a picture shows, for somebody who does not see it. */
export function sceneText(boxes: Boxes, scored: number | null = null, lost: number | null = null): string {
  const score = scored === null || lost === null ? '' : `Scored ${scored}, lost ${lost}. `;
  const ball =
    boxes.ball === null ? 'No ball in play.' : `Ball at column ${boxes.ball[0]}, row ${boxes.ball[1]}.`;
  const paddle = (box: Boxes['player']) =>
    box === null ? 'not shown' : `rows ${box[1]} to ${box[1] + box[3] - 1}`;
  return `${score}${ball} Own paddle on the right: ${paddle(boxes.player)}. Opponent on the left: ${paddle(boxes.opponent)}.`;
}

export function pictureText(picture: PongPicture | null, arm: string): string {
  if (picture === null) return `${arm}: no picture yet.`;
  return `${arm}, seed ${picture.seed}, decision ${picture.decision}. ${sceneText(picture.boxes)}`;
}
