import { PixelproofError } from '../../errors';
import { type PyObject, pyFloat } from '../../evidence/identity/python-json';
import type { DecisionAttempt, Provider } from '../../providers/provider';
import type { Backend } from './backends';
import type { Budget } from './budget';
import { decisionJson, decodeDecision, validationFailure } from './decision';
import { jsonLine } from './json';
import { seenIn } from './observation';
import { type Program, programHash } from './programs';
import { type ActionId, SELECTION_RULE } from './protocol';
import { type Rule, ruleAction, rulePolicyName } from './rule';

interface Choice {
  readonly action: ActionId;
  readonly prediction: PyObject;
}

/** What decides in an episode. It is given the observation and nothing else. */
export interface Policy {
  /** As files carry it: `track-ball-center-v1`, `jev:pong-action-choice-v1`. */
  readonly name: string;
  /** `local`, or the backend's name. */
  readonly backend: string;
  readonly program: Program | null;
  choose(observation: PyObject, episode: EpisodeLog, signal: AbortSignal): Choice | Promise<Choice>;
}

/** Where a model arm leaves its attempts, of one episode. */
interface EpisodeLog {
  /** Entries of the ledger, in the order in which the attempts ended. */
  readonly ledger: PyObject[];
  /** Appends a line to `model-exchanges.jsonl`. */
  exchange(line: string): void | Promise<void>;
}

export function rulePolicy(rule: Rule): Policy {
  const name = rulePolicyName(rule);
  const prediction = { policy: name };
  return {
    name,
    backend: 'local',
    program: null,
    choose: (observation) => ({ action: ruleAction(rule, seenIn(observation).boxes), prediction }),
  };
}

export interface ModelPolicyOptions {
  readonly backend: Backend;
  readonly provider: Provider;
  readonly program: Program;
  readonly model: string;
  /** The model that responses must name, where the one asked for is an alias; else null. */
  readonly expectedModel: string | null;
  readonly budget: Budget;
}

/**
 * A model arm. Each attempt takes a call of the budget and is in ledger and exchanges when it ends. No cache, no
 * threshold, no fallback: whatever is not a valid response of the pinned model throws and ends the run before an action
 * of it is executed.
 */
export function modelPolicy(options: ModelPolicyOptions): Policy {
  const { backend, program } = options;
  const decide = options.provider.decide?.bind(options.provider);
  if (decide === undefined) {
    throw new PixelproofError('answers_no_states', 'This provider cannot be asked about a state.', {
      expected: 'state-to-choices',
      got: options.provider.capabilities,
    });
  }
  const hash = programHash(program);
  return {
    name: `${backend.id}:${program.name}`,
    backend: backend.id,
    program,
    choose: async (observation, log, signal) => {
      const request = backend.request(options.model, program, observation);
      let id = 0;
      let answered: { readonly attempt: DecisionAttempt; readonly entry: PyObject } | null = null;
      const keep = async (entry: PyObject, response: PyObject | null) => {
        log.ledger.push(entry);
        await log.exchange(jsonLine({ exchange_id: id, request, response, transport: entry }));
      };
      const last = await decide(
        { body: jsonLine(request).trimEnd() },
        {
          signal,
          reserve: () => {
            id = options.budget.reserve();
          },
          record: async (attempt) => {
            const entry = {
              attempt: id,
              requested_model: options.model,
              status: attempt.status,
              elapsed_seconds: pyFloat(attempt.seconds),
            };
            if (attempt.response === null) await keep(entry, null);
            else answered = { attempt, entry };
          },
        },
      );
      if (answered === null || last.response === null) {
        const { code, message } = last.cause ?? { code: 'provider_unanswered', message: 'No answer came.' };
        throw new PixelproofError(code, message);
      }
      return decided(last.response, answered, keep);
    },
  };

  async function decided(
    response: PyObject,
    { attempt, entry }: { readonly attempt: DecisionAttempt; readonly entry: PyObject },
    keep: (entry: PyObject, response: PyObject | null) => Promise<void>,
  ): Promise<Choice> {
    let decoded: PyObject = response;
    let decision: ReturnType<typeof decodeDecision>;
    try {
      decoded = backend.decision(response);
      decision = decodeDecision(decoded);
    } catch (error) {
      await keep({ ...entry, choice_validation_failure: validationFailure(decoded) }, null);
      throw error;
    }
    const transport = { ...entry, response_model: decision.model, usage: decision.usage };
    await keep(transport, response);
    const pinned = options.expectedModel ?? options.model;
    if (decision.model !== pinned) {
      throw new PixelproofError(
        'provider_wrong_model',
        `The reply is from the model '${decision.model}', not from '${pinned}'.`,
        { expected: pinned, got: decision.model },
      );
    }
    const { byId, choiceAnswer } = decisionJson(decision);
    return {
      action: decision.action,
      prediction: {
        backend: backend.id,
        requested_model: options.model,
        response_model: decision.model,
        program_hash: hash,
        usage: decision.usage,
        elapsed_seconds: pyFloat(attempt.seconds),
        exchange_id: Number(entry.attempt),
        prediction_type: 'action-choice',
        selection_rule: SELECTION_RULE,
        chosen_action: decision.action,
        action_probabilities: byId,
        choice_answer: choiceAnswer,
        ...(options.expectedModel === null ? {} : { expected_response_model: options.expectedModel }),
      },
    };
  }
}
