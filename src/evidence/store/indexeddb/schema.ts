import type { DBSchema, IDBPDatabase, IDBPTransaction } from 'idb';
import type { ExchangeRecord, RuntimeEvidence } from '../../../providers/provider';
import type { JsonObject } from '../../identity/json';
import type { Artifact, CaseRecord, Plan, RunHeader } from '../../run';

/** One name, whatever path the site is served from: storage belongs to the origin, not to a folder of it. */
export const DATABASE = 'pixelproof';
export const VERSION = 1;

interface StoredPlan {
  readonly run: string;
  readonly plan: Plan;
  readonly environment: JsonObject;
  readonly runtime: RuntimeEvidence | null;
}

export interface StoredCase extends CaseRecord {
  readonly run: string;
  readonly position: number;
}

export interface StoredExchange {
  readonly run: string;
  readonly position: number;
  readonly index: number;
  /** Counts the attempts of one question over all sessions; `exchange.attempt` starts anew after a resume. */
  readonly serial: number;
  readonly arm: string;
  readonly ordinal: number;
  readonly exchange: ExchangeRecord;
}

interface StoredTally {
  readonly run: string;
  readonly arm: string;
  readonly outcome: string;
  readonly count: number;
}

/** A run keeps an artifact. The artifact goes when its last link goes. */
interface StoredLink {
  readonly run: string;
  readonly sha256: string;
}

/**
 * One record a case and one an attempt: a case is on the disk before the next begins, so they cannot be packed, and
 * pages and filters need them apart. Bulk data of a case (an episode's steps, pictures) is packed in its artifacts.
 */
export interface Schema extends DBSchema {
  runs: { key: string; value: RunHeader; indexes: { created: [string, string] } };
  plans: { key: string; value: StoredPlan };
  cases: {
    key: [string, number];
    value: StoredCase;
    indexes: {
      arm: [string, string, number];
      outcome: [string, string, number];
      arm_outcome: [string, string, string, number];
    };
  };
  tallies: { key: [string, string, string]; value: StoredTally };
  exchanges: { key: [string, number, number, number]; value: StoredExchange };
  artifacts: { key: string; value: Artifact };
  links: { key: [string, string]; value: StoredLink; indexes: { artifact: [string, string] } };
}

export type Database = IDBPDatabase<Schema>;

export const STORES = ['runs', 'plans', 'cases', 'tallies', 'exchanges', 'artifacts', 'links'] as const;

/** Every write is over all stores: writes queue anyway, and no write can forget one. */
export type Writing = IDBPTransaction<Schema, typeof STORES, 'readwrite'>;

/** Brings the database from any older version to this one, step by step; no step drops what is stored. */
export function upgrade(database: Database, from: number): void {
  if (from < 1) createVersion1(database);
}

function createVersion1(database: Database): void {
  database.createObjectStore('runs', { keyPath: 'run' }).createIndex('created', ['created_at', 'run']);
  database.createObjectStore('plans', { keyPath: 'run' });
  const cases = database.createObjectStore('cases', { keyPath: ['run', 'position'] });
  cases.createIndex('arm', ['run', 'arm', 'ordinal'], { unique: true });
  cases.createIndex('outcome', ['run', 'outcome', 'position']);
  cases.createIndex('arm_outcome', ['run', 'arm', 'outcome', 'ordinal']);
  database.createObjectStore('tallies', { keyPath: ['run', 'arm', 'outcome'] });
  database.createObjectStore('exchanges', { keyPath: ['run', 'position', 'index', 'serial'] });
  database.createObjectStore('artifacts', { keyPath: 'sha256' });
  database
    .createObjectStore('links', { keyPath: ['run', 'sha256'] })
    .createIndex('artifact', ['sha256', 'run']);
}
