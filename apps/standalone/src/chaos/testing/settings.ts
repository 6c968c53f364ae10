import { randomInt } from 'node:crypto';
import { SERVICES } from '@ponte/contracts';

/** The settings of `npm run test:chaos`, from its environment. */
export interface ChaosSettings {
  /** `CHAOS_RATE`: requests sent per second, whether or not earlier ones are answered. */
  readonly rate: number;
  /** `CHAOS_MAX_REQUESTS`: the largest number of requests in progress. Further ones are skipped. */
  readonly maxRequests: number;
  /** `CHAOS_KILLS`: how often each target is killed; with 0 only the load runs. */
  readonly kills: number;
  /** `CHAOS_SECONDS`: how long the load runs if `CHAOS_KILLS` is 0. */
  readonly seconds: number;
  /** `CHAOS_MINUTES`: the time after the first kill in which kills may start. Skipped kills are reported. */
  readonly minutes: number;
  /** `CHAOS_SEED`: determines the order of the kills and the pauses between them. */
  readonly seed: number;
  /** `CHAOS_TARGETS`: services and engines to kill, separated by commas. */
  readonly targets: readonly string[];
  /** `CHAOS_ACCOUNTS`: the number of sub-accounts over which the requests are spread. */
  readonly accounts: number;
  /** `PONTE_REPLICAS`: processes of each service. */
  readonly replicas: number;
  /**
   * `CHAOS_CHAINS`: `local` for an EVM in a separate process, or `simulated` for a chain within movements, which loses
   * its state when movements is killed.
   */
  readonly chains: 'local' | 'simulated';
}

type Env = Readonly<Record<string, string | undefined>>;

const ENGINES = ['kafka', 'event-store', 'postgres'] as const;
const MAX_SEED = 2 ** 31;

/** Throws on an invalid value or an unknown target. */
export function readSettings(env: Env): ChaosSettings {
  const all = [...SERVICES, ...ENGINES];
  const targets = env['CHAOS_TARGETS'] ? env['CHAOS_TARGETS'].split(',').map((one) => one.trim()) : all;
  const stranger = targets.find((one) => !all.some((known) => known === one));
  if (stranger !== undefined)
    throw new Error(`CHAOS_TARGETS: unknown target ${stranger}; use one of: ${all.join(', ')}`);
  return {
    rate: positive(env, 'CHAOS_RATE', 50),
    maxRequests: positive(env, 'CHAOS_MAX_REQUESTS', 500),
    kills: whole(env, 'CHAOS_KILLS', 10, 0),
    seed: positive(env, 'CHAOS_SEED', randomInt(1, MAX_SEED)),
    targets,
    seconds: positive(env, 'CHAOS_SECONDS', 120),
    minutes: positive(env, 'CHAOS_MINUTES', 25),
    accounts: positive(env, 'CHAOS_ACCOUNTS', 8),
    replicas: positive(env, 'PONTE_REPLICAS', 1),
    chains: chainsOf(env),
  };
}

function chainsOf(env: Env): ChaosSettings['chains'] {
  const chains = env['CHAOS_CHAINS'] || 'local';
  if (chains !== 'local' && chains !== 'simulated') throw new Error('CHAOS_CHAINS must be local or simulated');
  return chains;
}

const positive = (env: Env, name: string, fallback: number): number => whole(env, name, fallback, 1);

function whole(env: Env, name: string, fallback: number, least: number): number {
  const value = Number(env[name] || fallback);
  if (!Number.isInteger(value) || value < least) throw new Error(`${name} must be a whole number of at least ${least}`);
  return value;
}
