import type { Surface } from '../../pixels/surface';
import type { RenderMode } from './recipes';
import { ALIEN, BACKGROUND, COOLDOWN_TEXT, GRID, GRIDS, INDICATOR, NUMERALS, TANK, WHITE } from './sprites';
import type { ArcadeState } from './states';

/** x of a lane's centre: margins of 42 and a pitch of exactly 116 pixels. */
function laneCentre(lane: number): number {
  return 100 + 116 * lane;
}

/** y to which the alien sprite is anchored: the height of the head-up display. */
const HUD_HEIGHT = 72;

/** Draws a base render over the whole surface, which is 896 x 512. */
export function renderBase(mode: RenderMode, state: ArcadeState, to: Surface): void {
  const grid = GRIDS[mode];
  to.fill(0, 0, to.width - 1, to.height - 1, BACKGROUND);
  const indicator = INDICATOR[state.cooldown === 0 ? 0 : 1];
  to.blit(indicator.shape, indicator.dx, indicator.dy);
  if (mode === 'labelled') {
    const text = COOLDOWN_TEXT[state.cooldown === 0 ? 0 : 1];
    to.blend(text.shape, text.dx, text.dy, WHITE);
  }
  for (const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] of grid.vertical_rects_inclusive) to.fill(x0, y0, x1, y1, GRID);
  for (const [y = 0, x0 = 0, x1 = 0] of grid.bottom_line_rows) to.fill(x0, y, x1, y, GRID);
  if (state.target_column !== null) {
    to.blit(ALIEN.shape, laneCentre(state.target_column) + ALIEN.dx, HUD_HEIGHT + ALIEN.dy);
  }
  to.blit(TANK.shape, laneCentre(state.tank_column) + TANK.dx, grid.bottom + TANK.dy);
  if (mode === 'labelled') {
    for (const numeral of NUMERALS) to.blend(numeral.shape, numeral.dx, numeral.dy, WHITE);
  }
}
