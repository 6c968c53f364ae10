import { randomInt } from 'node:crypto';
import { SERVICES } from '@ponte/contracts';

/** The settings of `npm run test:chaos`, from its environment. */
export interface ChaosSettings {
  /** `CHAOS_RATE`: orders that are begun each second, whether the earlier ones are answered or not. */
  readonly rate: number;
  /** `CHAOS_MOST`: orders under way, beyond which none is begun. */
  readonly most: number;
  /** `CHAOS_KILLS`: how often each target is killed; with 0 the load runs alone. */
  readonly kills: number;
  /** `CHAOS_SECONDS`: how long it does so then. */
  readonly seconds: number;
  /** `CHAOS_MINUTES`: no kill is begun later than that after the first. What is left out is reported. */
  readonly minutes: number;
  /** `CHAOS_SEED`: the order of the kills and the pauses between them. */
  readonly seed: number;
  /** `CHAOS_TARGETS`, with commas between: services and engines. */
  readonly targets: readonly string[];
  /** `CHAOS_ACCOUNTS`: sub-accounts among which the orders go round. */
  readonly accounts: number;
  /** `PONTE_REPLICAS`: processes of each service. */
  readonly replicas: number;
  /**
   * `CHAOS_CHAINS`: `local`, an EVM beside the services; or `simulated`, within movements, which forgets everything
   * with it.
   */
  readonly chains: 'local' | 'simulated';
}

type Env = Readonly<Record<string, string | undefined>>;

export const ENGINES = ['kafka', 'event-store', 'postgres'] as const;
const MAX_SEED = 2 ** 31;

/** Throws on an invalid value and on an unknown target. */
export function readSettings(env: Env): ChaosSettings {
  const all = [...SERVICES, ...ENGINES];
  const targets = env['CHAOS_TARGETS'] ? env['CHAOS_TARGETS'].split(',').map((one) => one.trim()) : all;
  const stranger = targets.find((one) => !all.some((known) => known === one));
  if (stranger !== undefined)
    throw new Error(`CHAOS_TARGETS: nothing is called ${stranger}; there are ${all.join(', ')}`);
  return {
    rate: positive(env, 'CHAOS_RATE', 50),
    most: positive(env, 'CHAOS_MOST', 500),
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
  if (chains !== 'local' && chains !== 'simulated') throw new Error('CHAOS_CHAINS is local or simulated');
  return chains;
}

const positive = (env: Env, name: string, fallback: number): number => whole(env, name, fallback, 1);

function whole(env: Env, name: string, fallback: number, least: number): number {
  const value = Number(env[name] || fallback);
  if (!Number.isInteger(value) || value < least) throw new Error(`${name} is a whole number from ${least} on`);
  return value;
}
