// Where a schema takes a damaged document, and why that is right. Everything else that is damaged is refused; a place of
// this list where nothing damaged is taken is a fault too.

const OWN_WORDS = 'what a provider or a machine says of itself, in its own words';
const LATER = 'a reader of this format ignores what it does not know';
const MAP = 'a table by name, with as many entries as there are';
const OPTIONAL = 'not every document has it';
const ELSEWHERE = 'it has a schema of its own';

type Reason = typeof OWN_WORDS | typeof LATER | typeof MAP | typeof OPTIONAL | typeof ELSEWHERE;

/** The marks of `mutationsOf` before a path: `-` taken away, `+` a strange member, `~` another type. */
const PLACES: { readonly [schema: string]: readonly (readonly [place: RegExp, why: Reason])[] } = {
  bundle: [[/^. \/plan/, ELSEWHERE]],
  'json-bundle': [[/^. \/manifest/, ELSEWHERE]],
  runtime: [[/^. \/details/, OWN_WORDS]],
  'png-representation-plan': [[/^- \/provider\/configuration\/inference_options\//, OPTIONAL]],
  'png-representation-comparison': [[/^- \/classifications\//, MAP]],
  'png-representation-recipe': [[/^- \/operations\/N\/parameters\//, MAP]],
  'png-representation-published-case': [[/^- \/prediction$/, OPTIONAL]],
  'png-representation-case-record': [
    [/^. \/(expected|predicted)_decision_trace\/evidence$/, OWN_WORDS],
    [/^. \/(provider_response_)?metadata/, OWN_WORDS],
  ],
  'png-representation-bookkeeping': [[/^. \/episode_plan\/family_(contract|intervention)$/, OWN_WORDS]],
  'pong-controls-plan': [[/^- \/plan\/(arms|protocol\/versions)\//, MAP]],
  'pong-controls-detail': [[/^- \/detail\/files\//, MAP]],
  'pong-controls-comparison-plan': [[/^- \/(arms|protocol\/versions)\//, MAP]],
  'pong-controls-episode': [[/^- \/protocol\/versions\//, MAP]],
  'pong-controls-model-exchange': [
    [/^. \/(request|response)/, OWN_WORDS],
    [/^- \/transport\/(response_model|usage)/, OPTIONAL],
    [/^[~+] \/transport\/usage$/, OWN_WORDS],
  ],
  'pong-controls-ledger': [
    [/^- \/N\/(response_model|usage)/, OPTIONAL],
    [/^[~+] \/N\/usage$/, OWN_WORDS],
  ],
  'pong-controls-comparison': [
    [/^- \/(totals|http_status_counts)\//, MAP],
    [/^- \/(active_episode|error_type|interrupted_episode)$/, OPTIONAL],
    [/^- \/interrupted_episode\/(error_type|api_attempts)$/, OPTIONAL],
  ],
  'vision-controls-case': [[/^- \/evidence\/annotation\//, OPTIONAL]],
  'vision-manifest': [
    [/^\+ (\/rows\/N(\/screenshot)?)?$/, LATER],
    [/^- \/(visual_question|notes|issue)$/, OPTIONAL],
    [/^- \/(gold_provenance|rows\/N\/expected)\//, MAP],
  ],
  'vision-receipt': [
    [/^\+ /, LATER],
    [/^- /, OPTIONAL],
    [/^~ \/(visual_controls|matrix_rows|annotation_present_only)\/N\//, LATER],
  ],
  'image-signals-plan': [
    [/^~ \/cells\/N\/steps\/N\/evidence$/, OWN_WORDS],
    [/^- (\/matrix)?\/definition\/predicates\/\w+$/, MAP],
    [/^- (\/matrix)?\/definition\/(predicates\/\w+\/N\/at_(most|least)|signals\/N\/pass)$/, OPTIONAL],
  ],
  'image-signals-case': [
    [
      /^- \/evidence\/record\/(rounding_sensitivity\/truncation\/)?\w+(_dominance|_presence|_count|_total)/,
      MAP,
    ],
  ],
  'image-signals-record': [
    [/^- \/(rounding_sensitivity\/truncation\/)?\w+(_dominance|_presence|_count|_total)/, MAP],
  ],
  'image-signals-experiment': [
    [/^- \/definition\/predicates\/\w+$/, MAP],
    [/^- \/definition\/(predicates\/\w+\/N\/at_(most|least)|signals\/N\/pass)$/, OPTIONAL],
  ],
  'image-signals-matrix': [
    [/^- \/arms\/N\/states\//, MAP],
    [/^~ \/cells\/N\/steps\/N\/evidence$/, OWN_WORDS],
  ],
  'image-signals-report': [
    [/^- \/arms\/N\/states\//, MAP],
    [/^~ \/cells\/N\/steps\/N\/evidence$/, OWN_WORDS],
  ],
  'signals-definition': [
    [/^- \/predicates\/\w+$/, MAP],
    [/^- \/(predicates\/\w+\/N\/at_(most|least)|signals\/N\/pass)$/, OPTIONAL],
  ],
  'cli-providers': [[/^- \/N\/notes/, OPTIONAL]],
  'self-check': [[/^~ \/facts\/N\/value$/, OWN_WORDS]],
  'cli-png-render': [[/^. \/steps\/N\/parameters/, MAP]],
  'cli-png-run': [
    [/^- \/comparison\/classifications\//, MAP],
    [/^- \/published\/explanations\//, MAP],
    [/^~ \/published\/checks\/N\/(expected|got)$/, OWN_WORDS],
  ],
  'vision-attempt': [[/^. \/receipt/, ELSEWHERE]],
  'atari-trace': [
    [/^\+ $/, LATER],
    [/^. \/(rule|ale_py|game_over|end_ram_hex)$/, LATER],
    [/^- \/console\//, MAP],
    [
      /^- \/(start_ram_hex|start_rgb_sha256|sticky|screen_sha256_16|rgb_sha256_16|requested_actions|rewards)$/,
      OPTIONAL,
    ],
  ],
  'cli-pong-run': [
    [/^- \/comparison\/(totals|http_status_counts)\//, MAP],
    [/^- \/comparison\/(active_episode|error_type|interrupted_episode)$/, OPTIONAL],
    [/^- \/comparison\/interrupted_episode\/(error_type|api_attempts)$/, OPTIONAL],
  ],
  'cli-pong-replay': [[/^- \/first_difference$/, OPTIONAL]],
  'cli-pong-inspect': [[/^~ \/(request|response)$/, OWN_WORDS]],
  'cli-pong-audit': [[/^- \/findings\/N\/(expected|got)$/, OPTIONAL]],
  'archive-manifest': [[/^\+ (\/files\/N)?$/, LATER]],
  'cli-doctor': [[/^. \/facts/, OWN_WORDS]],
  'cli-signals': [
    [/^- \/N\/(rounding_sensitivity\/truncation\/)?\w+(_dominance|_presence|_count|_total)/, MAP],
  ],
};
const MACHINE: readonly RegExp[] = [/^. \/environment/];

export function openPlaces(schema: string): readonly RegExp[] {
  if (schema.endsWith('-environment')) return MACHINE;
  return (PLACES[schema] ?? []).map(([place]) => place);
}
