/** One published episode, as far as this page shows it. */
export interface PublishedEpisode {
  readonly seed: number;
  readonly arm: string;
  readonly reward: number;
  readonly points_scored: number;
  readonly points_lost: number;
  readonly rule_4px_different_actions: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly http_wall_seconds: number;
}

/** The published figures: sixteen episodes on the original cartridge. */
export async function publishedEpisodes(): Promise<readonly PublishedEpisode[]> {
  const { default: published } = await import('../../../../fixtures/pong-controls/pong-published.json');
  return published.episodes_in_schedule_order;
}
