// SHA-256 of RAM and RGB picture for four kept frames at once, one frame a lane. The picture is expanded and hashed in
// units of 64 pixels, which are exactly three blocks; two rows are five units, so a unit mostly looks like the one five
// before it, and then the message schedule that was made for that one is used again. What the frames have in common
// with the last picture hashed, from the top, is not hashed a second time.
import {
  DIGESTS,
  EXPANDED,
  KEPT_PICTURES,
  KEPT_RAM,
  LAST_PICTURE,
  MIDSTATES,
  PALETTE,
  PICTURE_BYTES,
  PICTURE_WIDTH,
  RAM,
  SCHEDULES,
} from './layout';
import { begin, compress, digestsTo, laneStateTo, resume, schedule, words } from './sha256';
import { machine, tia } from './state';

const LANES: i32 = 4;
const UNIT: i32 = 64;
const UNIT_RGB: i32 = 3 * UNIT;
const BLOCK: i32 = 64;
/** Units of two rows. */
const PERIOD: i32 = 5;
/** Bytes of one block's schedule: 64 words of four lanes. */
const SCHEDULE: i32 = 1024;

/** Rows of the picture whose states lie in MIDSTATES; 0 when there is none. */
let lastHeight: i32 = 0;

/** After a change of the palette no picture's beginning may be taken for known. */
export function forgetPictures(): void {
  lastHeight = 0;
}

/** Keeps the present RAM and picture in a lane, 0 to 3. */
export function keep_frame(lane: i32): void {
  memory.copy(KEPT_RAM + lane * 128, RAM, 128);
  memory.copy(KEPT_PICTURES + lane * PICTURE_BYTES, tia.picture, machine.height * PICTURE_WIDTH);
}

/** Digests of the four kept frames: at DIGESTS four of RAM, then four of the RGB picture, 32 bytes each. */
export function digest_kept(): void {
  begin();
  for (let block = 0; block < 2; block++) {
    words(KEPT_RAM + block * BLOCK, 128);
    schedule(SCHEDULES);
    compress(SCHEDULES);
  }
  finish(0, 128);
  digestsTo(DIGESTS);
  pictures();
  digestsTo(DIGESTS + LANES * 32);
}

function pictures(): void {
  const pixels = machine.height * PICTURE_WIDTH;
  const units = pixels / UNIT;
  const first = lastHeight == machine.height ? unitsInCommon(units) : 0;
  if (first > 0) resume(MIDSTATES + first * 32);
  else begin();
  for (let unit = first; unit < units; unit++) {
    const at = KEPT_PICTURES + unit * UNIT;
    const schedules = SCHEDULES + (unit % PERIOD) * 3 * SCHEDULE;
    laneStateTo(MIDSTATES + unit * 32);
    if (unit < first + PERIOD || !repeats(at)) {
      for (let lane = 0; lane < LANES; lane++) expand(at + lane * PICTURE_BYTES, EXPANDED + lane * UNIT_RGB, UNIT);
      for (let block = 0; block < 3; block++) {
        words(EXPANDED + block * BLOCK, UNIT_RGB);
        schedule(schedules + block * SCHEDULE);
      }
    }
    compress(schedules);
    compress(schedules + SCHEDULE);
    compress(schedules + 2 * SCHEDULE);
  }
  laneStateTo(MIDSTATES + units * 32);
  lastHeight = machine.height;
  memory.copy(LAST_PICTURE, KEPT_PICTURES + (LANES - 1) * PICTURE_BYTES, pixels);
  // An odd number of rows leaves half a unit.
  const left = pixels - units * UNIT;
  for (let lane = 0; lane < LANES; lane++) {
    expand(KEPT_PICTURES + lane * PICTURE_BYTES + units * UNIT, EXPANDED + lane * UNIT_RGB, left);
  }
  finish(left * 3, pixels * 3);
}

/** Whole units from the top in which all four kept pictures are the last one hashed. */
function unitsInCommon(units: i32): i32 {
  for (let unit = 0; unit < units; unit++) {
    const last = LAST_PICTURE + unit * UNIT;
    const kept = KEPT_PICTURES + unit * UNIT;
    if (differs(kept, last)) return unit;
    if (differs(kept + PICTURE_BYTES, last)) return unit;
    if (differs(kept + 2 * PICTURE_BYTES, last)) return unit;
    if (differs(kept + 3 * PICTURE_BYTES, last)) return unit;
  }
  return units;
}

/** Whether in each of the four pictures the unit is the same as two rows above. */
function repeats(at: i32): bool {
  const above = at - PERIOD * UNIT;
  return !(
    differs(at, above) ||
    differs(at + PICTURE_BYTES, above + PICTURE_BYTES) ||
    differs(at + 2 * PICTURE_BYTES, above + 2 * PICTURE_BYTES) ||
    differs(at + 3 * PICTURE_BYTES, above + 3 * PICTURE_BYTES)
  );
}

@inline
function differs(a: i32, b: i32): bool {
  const first = v128.xor(v128.load(a), v128.load(b));
  const second = v128.xor(v128.load(a + 16), v128.load(b + 16));
  const third = v128.xor(v128.load(a + 32), v128.load(b + 32));
  const fourth = v128.xor(v128.load(a + 48), v128.load(b + 48));
  return v128.any_true(v128.or(v128.or(first, second), v128.or(third, fourth)));
}

/** `pixels` pixels in RGB at `to`. The last store spills a byte beyond them. */
function expand(from: i32, to: i32, pixels: i32): void {
  for (let i = 0; i < pixels; i++) store<u32>(to + i * 3, load<u32>(PALETTE + <i32>load<u8>(from + i) * 4));
}

/** The end of four messages of `length` bytes, of which `left` at EXPANDED are not hashed yet. */
function finish(left: i32, length: i32): void {
  const end = (left + 9 + BLOCK - 1) & -BLOCK;
  for (let lane = 0; lane < LANES; lane++) {
    const at = EXPANDED + lane * UNIT_RGB;
    memory.fill(at + left, 0, end - left);
    store<u8>(at + left, 0x80);
    store<u32>(at + end - 4, bswap<u32>(length * 8));
  }
  for (let block = 0; block < end; block += BLOCK) {
    words(EXPANDED + block, UNIT_RGB);
    schedule(SCHEDULES);
    compress(SCHEDULES);
  }
}
