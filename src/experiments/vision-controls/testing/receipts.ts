import { controlMatrix } from '../controls';
import { PUBLISHED_PROFILE } from '../profile';
import { publishedManifest, type Revision } from '../published-fixture';

/** A receipt as JSON that a test may change. */
export interface Receipt {
  dataset_id: string;
  rows: { unique_data_id: string; [key: string]: unknown }[];
  visual_controls: Record<string, unknown>[];
  [key: string]: unknown;
}

export interface Scenario {
  /** Probability by picture (null: omitted). */
  readonly probability: (image: string | null, fox: boolean) => number;
  readonly imaged?: number | null;
  readonly omitted?: number | null;
}

/** A bare receipt of the original form: what a verdict rests on, and nothing that is recomputed. */
export function bareReceipt(scenario: Scenario, revision: Revision = 'five-row'): Receipt {
  const { rows, dataset_id } = publishedManifest(revision);
  const { imaged = 363, omitted = 104 } = scenario;
  return {
    dataset_id,
    rows: rows.map(({ unique_data_id, stream_order, screenshot }) => ({
      unique_data_id,
      stream_order,
      screenshot_sha256: screenshot.sha256,
    })),
    visual_controls: controlMatrix(rows, PUBLISHED_PROFILE).map(
      ({ unique_data_id, visual_family, condition, image_unique_data_id, expected }) => ({
        unique_data_id,
        visual_family,
        condition,
        image_unique_data_id,
        expected,
        probability: scenario.probability(image_unique_data_id, expected === true),
        tokens_evaluated: condition === 'omitted' ? omitted : imaged,
      }),
    ),
  };
}

const STORE_FINDER = 'cmcc8u6yd00wr1p1yj7aot3ae';

/** The reference scenarios of the specification, 6.6. */
export const SCENARIOS = {
  blind: { probability: () => 0.7545 },
  perfect: { probability: (image, fox) => (image === null ? 0.7545 : fox ? 0.99 : 0.01) },
  historical: {
    probability: (image, fox) => {
      if (image === null) return 0.7545;
      return fox ? 0.9 : image === STORE_FINDER ? 0.6929 : 0.1;
    },
  },
  dropped: { probability: (image, fox) => (image === null ? 0.7545 : fox ? 0.99 : 0.01), imaged: 134 },
  inverted: { probability: (image, fox) => (image === null ? 0.5 : fox ? 0.1 : 0.9) },
  allYes: { probability: (image, fox) => (image === null ? 0.5 : fox ? 0.95 : 0.9) },
} satisfies { readonly [name: string]: Scenario };
