import {
  isPyObject,
  PyFloat,
  type PyObject,
  type PyValue,
  pyFloat,
} from '../../evidence/identity/python-json';
import { parsePythonJson } from '../../evidence/identity/python-json-parse';
import { pythonListRepr } from '../../evidence/identity/python-repr';
import { roundHalfEven } from '../../evidence/identity/round-half-even';
import { type ParsedReply, parseReply, type Verdict, valueError } from './reply';
import { type ArcadeState, rowId, type StateFactors } from './states';

/** A checked reading of one picture. */
export type Prediction = {
  readonly state: ArcadeState;
  readonly factors: StateFactors;
  readonly row_id: string;
  /** 0..1. */
  readonly confidence: number;
};

/**
 * How the reply of a provider is to be read. The scripted provider answers with the parsed object itself, and so does a
 * server that was held to a schema: one object of the five fields, with nothing around it but white space.
 */
export type ReplyForm = 'labelled-lines' | 'json-object' | 'structured';

const KEYS = ['confidence', 'cooldown', 'tank_column', 'target_column', 'target_present'];

/** The reply as a prediction, or the exact reason why the benchmark rejects it. */
export function readReply(text: string, form: ReplyForm): Verdict<Prediction> {
  if (form !== 'labelled-lines') {
    let value: PyValue;
    try {
      value = parsePythonJson(text);
    } catch {
      return valueError(`${form === 'structured' ? 'structured' : 'scripted'} reply is not JSON`);
    }
    return checkFields(value);
  }
  const parsed = parseReply(text);
  return parsed.ok ? checkFields(asFields(parsed.value)) : parsed;
}

function asFields(parsed: ParsedReply): PyObject {
  return { ...parsed, confidence: pyFloat(parsed.confidence) };
}

/** The structured check, in the reference's order and words. */
export function checkFields(value: PyValue): Verdict<Prediction> {
  const fields = isPyObject(value) ? value : {};
  const keys = Object.keys(fields).sort();
  if (keys.join() !== KEYS.join()) {
    return valueError(`response fields must be exactly ${pythonListRepr(KEYS)}; got ${pythonListRepr(keys)}`);
  }
  const { tank_column, target_present, target_column, cooldown, confidence } = fields;
  if (!isInteger(tank_column)) return valueError('tank_column must be integer');
  if (!isInteger(target_column)) return valueError('target_column must be integer');
  if (!isInteger(cooldown)) return valueError('cooldown must be integer');
  const sureness =
    confidence instanceof PyFloat ? confidence.value : isInteger(confidence) ? Number(confidence) : null;
  if (sureness === null) return valueError('confidence must be number');
  if (!Number.isFinite(sureness)) return valueError('confidence must be finite');
  if (typeof target_present !== 'boolean') return valueError('target_present must be boolean');
  if (tank_column < 0 || tank_column > 6) return valueError('tank_column out of range');
  if (target_column < -1 || target_column > 6) return valueError('target_column must be -1 or 0..6');
  if (cooldown < 0 || cooldown > 1) return valueError('cooldown must be 0 or 1');
  if (sureness < 0 || sureness > 1) return valueError('confidence must be in [0,1]');
  if (target_present !== (Number(target_column) !== -1)) {
    return valueError('target_present and target_column disagree');
  }
  const state = {
    tank_column: Number(tank_column),
    target_column: target_present ? Number(target_column) : null,
    cooldown: Number(cooldown),
  };
  const factors = {
    tank_column: state.tank_column,
    target_present,
    target_column: Number(target_column),
    cooldown: state.cooldown,
  };
  return { ok: true, value: { state, factors, row_id: rowId(state), confidence: sureness } };
}

function isInteger(value: PyValue | undefined): value is number | bigint {
  return typeof value === 'bigint' || typeof value === 'number';
}

/** The payload as `cases.jsonl` shows it. */
export function predictionPayload(prediction: Prediction): PyObject {
  const { factors, row_id, confidence } = prediction;
  return { ...factors, confidence: pyFloat(confidence), row_id };
}

/** Confidence 0..1 as basis points 0..10000, a tie to the even one. */
export function basisPoints(confidence: number): number {
  return roundHalfEven(confidence * 10000);
}
