import type { EpisodeRow, PongOpened } from '../../../../workers/pong-api';
import { route } from '../../route.svelte';

/** The episode that Look shows: the one that the address names, else the first. */
export function shownEpisode({ episodes }: PongOpened): EpisodeRow | undefined {
  const seed = episodes.find((each) => String(each.seed) === route.get('seed'))?.seed ?? episodes[0]?.seed;
  const own = episodes.filter((each) => each.seed === seed);
  return own.find(({ arm }) => arm === route.get('arm')) ?? own[0];
}
