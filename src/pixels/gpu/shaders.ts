/**
 * The signals as WGSL, in 32-bit whole numbers throughout: floating point may be contracted differently by each driver.
 * Buffers: 0 parameters, 1 RGB bytes, 2 regions and terms, 3 totals, 4 labels, 5 areas, 6 list of components or boxes.
 */
const SHARED = /* wgsl */ `
struct Parameters {
  width: u32,
  height: u32,
  regions: u32,
  mask_at: u32,
  mask_terms: u32,
  least: u32,
  most: u32,
  chosen: u32,
}
@group(0) @binding(0) var<uniform> p: Parameters;
@group(0) @binding(1) var<storage, read> image: array<u32>;
@group(0) @binding(2) var<storage, read> tasks: array<i32>;
@group(0) @binding(3) var<storage, read_write> totals: array<atomic<u32>>;
@group(0) @binding(4) var<storage, read_write> labels: array<atomic<u32>>;
@group(0) @binding(5) var<storage, read_write> areas: array<atomic<u32>>;
@group(0) @binding(6) var<storage, read_write> listed: array<atomic<u32>>;

const NONE = 0xffffffffu;

fn place(group: vec3u, groups: vec3u, local: u32) -> u32 {
  return (group.y * groups.x + group.x) * 256u + local;
}
fn root(start: u32) -> u32 {
  var label = start;
  loop {
    let up = atomicLoad(&labels[label]);
    if (up == label) { return label; }
    label = up;
  }
}
fn startsRun(at: u32) -> bool {
  return atomicLoad(&labels[at]) != NONE && (at % p.width == 0u || atomicLoad(&labels[at - 1u]) == NONE);
}
`;

/** Regions, mask and first labels: one invocation four pixels, which are three words. */
export const MEASURE = /* wgsl */ `${SHARED}
const REGION = 8u;

fn feature(id: i32, r: i32, g: i32, b: i32) -> i32 {
  switch id {
    case 0: { return r; }
    case 1: { return g; }
    case 2: { return b; }
    case 3: { return min(r, min(g, b)); }
    case 4: { return max(r, max(g, b)); }
    case 5: { return r - max(g, b); }
    case 6: { return g - max(r, b); }
    case 7: { return b - max(r, g); }
    case 8: { return min(r, g) - b; }
    case 9: { return min(r, b) - g; }
    case 10: { return min(g, b) - r; }
    default: { return max(r, max(g, b)) - min(r, min(g, b)); }
  }
}
fn holds(at: u32, count: u32, r: i32, g: i32, b: i32) -> bool {
  for (var i = 0u; i < count; i++) {
    let term = at + i * 3u;
    let value = feature(tasks[term], r, g, b);
    if (value < tasks[term + 1u] || value > tasks[term + 2u]) { return false; }
  }
  return true;
}

var<workgroup> counted: atomic<u32>;
var<workgroup> summed: atomic<u32>;

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let four = place(group, groups, local);
  let total = p.width * p.height;
  let first = four * 4u;
  var r: array<i32, 4>;
  var g: array<i32, 4>;
  var b: array<i32, 4>;
  var mine = 0u;
  if (first < total) {
    let w = vec3u(image[four * 3u], image[four * 3u + 1u], image[four * 3u + 2u]);
    r = array<i32, 4>(i32(w.x & 255u), i32(w.x >> 24u), i32((w.y >> 16u) & 255u), i32((w.z >> 8u) & 255u));
    g = array<i32, 4>(i32((w.x >> 8u) & 255u), i32(w.y & 255u), i32(w.y >> 24u), i32((w.z >> 16u) & 255u));
    b = array<i32, 4>(i32((w.x >> 16u) & 255u), i32((w.y >> 8u) & 255u), i32(w.z & 255u), i32(w.z >> 24u));
    for (var k = 0u; k < 4u; k++) {
      let at = first + k;
      if (at >= total) { break; }
      let inside = holds(p.mask_at, p.mask_terms, r[k], g[k], b[k]);
      atomicStore(&labels[at], select(NONE, at, inside));
      mine += u32(inside);
    }
  }
  if (mine > 0u) { atomicAdd(&totals[0], mine); }
  for (var i = 0u; i < p.regions; i++) {
    let region = i * REGION;
    var n = 0u;
    var sum = 0u;
    if (first < total) {
      for (var k = 0u; k < 4u; k++) {
        let at = first + k;
        if (at >= total) { break; }
        let x = i32(at % p.width);
        let y = i32(at / p.width);
        if (x < tasks[region] || x >= tasks[region + 1u] || y < tasks[region + 2u] || y >= tasks[region + 3u]) { continue; }
        if (!holds(u32(tasks[region + 6u]), u32(tasks[region + 5u]), r[k], g[k], b[k])) { continue; }
        n += 1u;
        // A dominance may be negative; 255 is added to each and taken off again by the reader.
        if (tasks[region + 4u] >= 0) { sum += u32(feature(tasks[region + 4u], r[k], g[k], b[k]) + 255); }
      }
    }
    if (local == 0u) {
      atomicStore(&counted, 0u);
      atomicStore(&summed, 0u);
    }
    workgroupBarrier();
    if (n > 0u) {
      atomicAdd(&counted, n);
      atomicAdd(&summed, sum);
    }
    workgroupBarrier();
    if (local == 0u) {
      let all = atomicLoad(&counted);
      if (all > 0u) {
        let slot = 4u + i * 3u;
        atomicAdd(&totals[slot], all);
        let add = atomicLoad(&summed);
        // 64 bits in two words: the low word that wrapped carries one.
        let before = atomicAdd(&totals[slot + 1u], add);
        if (before + add < before) { atomicAdd(&totals[slot + 2u], 1u); }
      }
    }
    workgroupBarrier();
  }
}
`;

/** Joins each mask pixel with the one to its left and the one above. The smaller label wins: it is the first pixel. */
export const JOIN = /* wgsl */ `${SHARED}
fn join(one: u32, other: u32) {
  var a = root(one);
  var b = root(other);
  loop {
    if (a == b) { return; }
    let low = min(a, b);
    let high = max(a, b);
    let old = atomicMin(&labels[high], low);
    if (old == high) { return; }
    // Somebody else hung it up meanwhile: their root has to be joined too.
    a = root(old);
    b = root(low);
  }
}
@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let at = place(group, groups, local);
  if (at >= p.width * p.height || atomicLoad(&labels[at]) == NONE) { return; }
  let x = at % p.width;
  let left = x > 0u && atomicLoad(&labels[at - 1u]) != NONE;
  if (left) { join(at, at - 1u); }
  if (at < p.width || atomicLoad(&labels[at - p.width]) == NONE) { return; }
  // Where the two to the left touch as well, they have made this join already.
  if (left && atomicLoad(&labels[at - p.width - 1u]) != NONE) { return; }
  join(at, at - p.width);
}
`;

/** Adds up each component's area at its root, a run at a time. */
export const COUNT = /* wgsl */ `${SHARED}
@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let at = place(group, groups, local);
  if (at >= p.width * p.height || !startsRun(at)) { return; }
  let rest = p.width - at % p.width;
  var length = 1u;
  loop {
    if (length >= rest || atomicLoad(&labels[at + length]) == NONE) { break; }
    length += 1u;
  }
  atomicAdd(&areas[root(at)], length);
}
`;

/** Lists the roots whose area counts, in any order. */
export const LIST = /* wgsl */ `${SHARED}
@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let at = place(group, groups, local);
  if (at >= p.width * p.height || atomicLoad(&labels[at]) != at) { return; }
  atomicAdd(&totals[1], 1u);
  let area = atomicLoad(&areas[at]);
  if (area < p.least) { return; }
  let slot = atomicAdd(&totals[2], 1u);
  if (slot >= p.most) { return; }
  atomicStore(&listed[slot * 2u], at);
  atomicStore(&listed[slot * 2u + 1u], area);
}
`;

/** Boxes of the chosen roots: \`listed\` holds a root and x0, x1, y1 each. */
export const BOXES = /* wgsl */ `${SHARED}
@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let at = place(group, groups, local);
  if (at >= p.width * p.height || !startsRun(at)) { return; }
  let mine = root(at);
  for (var i = 0u; i < p.chosen; i++) {
    if (atomicLoad(&listed[i * 4u]) != mine) { continue; }
    let x = at % p.width;
    var end = x + 1u;
    loop {
      if (end >= p.width || atomicLoad(&labels[at - x + end]) == NONE) { break; }
      end += 1u;
    }
    atomicMin(&listed[i * 4u + 1u], x);
    atomicMax(&listed[i * 4u + 2u], end);
    atomicMax(&listed[i * 4u + 3u], at / p.width + 1u);
    return;
  }
}
`;
