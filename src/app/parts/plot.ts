import type { RenderFunction } from '@observablehq/plot';

// The one library of charts, as far as the site uses it. Only Chart.svelte imports this, when a chart is on the page.
export { axisX, axisY, dot, line, plot, rectY, ruleX, ruleY, text } from '@observablehq/plot';

/** Pixels between neighbouring tracks of dots, and how many tracks there are: equal values are spread a little. */
const TRACK = 2;
const TRACKS = 5;

/**
 * All dots of a mark as one path with round ends: a thousand pictures are one element. `dy` is in pixels, as marks have
 * it; the scale of y is one of points, whose values are centres.
 */
export function dotsAsOnePath(dy: number): RenderFunction {
  return (index, _scales, values, _dimensions, context) => {
    const { x: across, y: down } = values;
    if (across === undefined || down === undefined) return null;
    let d = '';
    // Neighbours in the list are put on tracks that are not neighbours.
    for (const at of index) {
      const track = (((at * 7) % TRACKS) - (TRACKS - 1) / 2) * TRACK;
      d += `M${Number(across[at]).toFixed(1)} ${(Number(down[at]) + dy + track).toFixed(1)}h0`;
    }
    const path = context.document.createElementNS('http://www.w3.org/2000/svg', 'path');
    path.setAttribute('class', 'dots');
    path.setAttribute('d', d);
    return path;
  };
}
