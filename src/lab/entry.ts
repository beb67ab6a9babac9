import type { JsonObject } from '../evidence/identity/json';
import type { Plan } from '../evidence/run';
import type { ProviderDescription } from '../providers/provider';
import type { AnswerSource } from '../runner';
import type { Experiment } from '../runner/experiment';

/** How an experiment meets its providers. One entry an experiment; the doors (page, command line) use only these. */
export interface LabEntry {
  readonly experiment: Experiment;
  /** Who would be asked, in the words that enter the plan. Throws `provider_unknown`, `provider_settings`. */
  asked(provider: string, parameters: JsonObject): ProviderDescription;
  /** Who says this of itself, where that is not what `asked` gives for its id, model, seed and address. */
  described?(provider: ProviderDescription): ProviderDescription;
  /**
   * The answers of a plan, made now or recorded; the same for a fresh run and for one that goes on. Nothing is asked
   * before the runner starts.
   */
  answers(plan: Plan, provider: ProviderDescription): Promise<AnswerSource>;
  /** The report with what a person has confirmed, as the page shows it. */
  report(source: Parameters<Experiment['report']>[0], note: JsonObject): Promise<JsonObject>;
}
