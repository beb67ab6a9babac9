import { PixelproofError } from '../../errors';
import {
  isPyObject,
  PyFloat,
  type PyObject,
  type PyValue,
  pyFloat,
} from '../../evidence/identity/python-json';
import { type Box, type Boxes, OBJECTS, type ObjectId } from './boxes';
import { ACTIONS, EXTRACTOR, GAME, HEIGHT, HOLD_FRAMES, STICKY, WIDTH } from './protocol';
import type { Track } from './tracker';

export type Event = 'point_scored' | 'point_lost';

const COORDINATES: PyObject = {
  width_px: WIDTH,
  height_px: HEIGHT,
  origin: 'top_left',
  x_positive: 'right',
  y_positive: 'down',
  bbox_format: 'x_y_width_height',
  velocity_unit: 'pixels_per_raw_frame',
};
const CANDIDATES: PyValue = ACTIONS.map(({ id, meaning, effect }) => ({
  id,
  ale_meaning: meaning,
  effect,
  hold_raw_frames: HOLD_FRAMES,
}));

/**
 * All that a policy may see, keys in the published order. No gap, no advice, no seed, no RAM, no reward; the action that
 * a sticky frame really applied is always null.
 */
export function observationJson(track: Track, lastAction: number | null, events: readonly Event[]): PyObject {
  return {
    schema_version: 'atari-object-observation-v1',
    extractor_version: EXTRACTOR,
    game: GAME,
    observation_source: 'ram',
    coordinates: COORDINATES,
    control: {
      requested_hold_frames: HOLD_FRAMES,
      sticky_action_probability: pyFloat(STICKY),
      last_requested_action_id: lastAction,
      last_executed_action_id: null,
    },
    objects: track.objects.map(({ id, box, velocity, interval, age }) => ({
      id,
      kind: id === 'ball' ? 'ball' : 'paddle',
      present: box !== null,
      bbox: box,
      velocity: velocity === null ? null : velocity.map(pyFloat),
      velocity_valid: velocity !== null,
      sample_interval_raw_frames: interval,
      age_since_last_seen_raw_frames: age,
    })),
    history: track.history.map(({ frame, boxes }) => ({
      offset_raw_frames: frame - track.frame,
      boxes: { player: boxes.player, opponent: boxes.opponent, ball: boxes.ball },
    })),
    events_observed: events,
    candidate_actions: CANDIDATES,
  };
}

/** What rules and diagnostics read of an observation. */
export interface Seen {
  readonly boxes: Boxes;
  /** Horizontal velocity of the ball in pixels per raw frame, null without one. */
  readonly ballVelocityX: number | null;
}

/** Reads a recorded observation. Throws `pong_observation` where it is not one. */
export function seenIn(observation: PyValue | undefined): Seen {
  const objects = isPyObject(observation) ? observation.objects : undefined;
  if (!Array.isArray(objects) || objects.length !== OBJECTS.length) throw invalid('three objects', objects);
  const boxes: Record<ObjectId, Box | null> = { player: null, opponent: null, ball: null };
  let ballVelocityX: number | null = null;
  for (const [index, id] of OBJECTS.entries()) {
    const object: PyValue = objects[index];
    if (!isPyObject(object) || object.id !== id) throw invalid(`the object ${id}`, object);
    boxes[id] = boxIn(object.bbox);
    if (id === 'ball') ballVelocityX = velocityX(object.velocity);
  }
  return { boxes, ballVelocityX };
}

function boxIn(value: PyValue | undefined): Box | null {
  if (value === null) return null;
  const box: readonly PyValue[] = Array.isArray(value) ? value : [];
  const [x, y, width, height] = box;
  const whole = (part: PyValue | undefined): part is number => typeof part === 'number';
  if (box.length === 4 && whole(x) && whole(y) && whole(width) && whole(height)) return [x, y, width, height];
  throw invalid('a box of four whole numbers, or null', value);
}

function velocityX(value: PyValue | undefined): number | null {
  if (value === null) return null;
  const first: PyValue | undefined = Array.isArray(value) ? value[0] : undefined;
  if (first instanceof PyFloat) return first.value;
  throw invalid('a velocity of two floats, or null', value);
}

function invalid(expected: string, got: unknown): PixelproofError {
  return new PixelproofError('pong_observation', 'The record is not an observation of this protocol.', {
    expected,
    got,
  });
}
