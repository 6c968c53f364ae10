import { mkdirSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../e2e/testing/program';
import type { Kill } from './kills';
import type { Load } from './load';
import type { ChaosSettings } from './settings';
import type { PerOrder } from './steady';
import { sum } from './steady';

export interface ChaosReport {
  readonly settings: ChaosSettings;
  readonly seconds: number;
  readonly orders: number;
  /** Movements that were answered, by kind. */
  readonly movements: Readonly<Record<string, number>>;
  readonly begun: number;
  /**
   * Requests that were due but skipped because too many were in progress: the machine could not keep up with the rate.
   */
  readonly leftOut: number;
  /** Milliseconds from the first attempt of an acceptance to its response, including retries. */
  readonly acceptance: { readonly p50: number; readonly p99: number };
  readonly retries: Load['retries'];
  /** Webhooks that arrived more than once. */
  readonly repeatedWebhooks: number;
  /** Webhooks that arrived for the first time after a later one about the same resource. */
  readonly overtaken: readonly string[];
  readonly targets: readonly {
    readonly target: string;
    readonly kills: number;
    readonly silentMs: Spread;
    readonly recoveredMs: Spread;
  }[];
  /** The number of kills requested. The time may run out before the last one. */
  readonly killsAsked: number;
  /** What was done to the targets: `killed` or `paused`. */
  readonly done: string;
  readonly perOrder: PerOrder;
  readonly loadAverage: number;
  readonly faults: readonly string[];
}
interface Spread {
  readonly median: number;
  readonly max: number;
}

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
const ascending = (numbers: readonly number[]): number[] => [...numbers].sort((a, b) => a - b);
const spread = (numbers: readonly number[]): Spread => ({
  median: at(ascending(numbers), 0.5),
  max: Math.max(0, ...numbers),
});

export function summed(
  settings: ChaosSettings,
  load: Load,
  kills: readonly Kill[],
  rest: Pick<ChaosReport, 'seconds' | 'repeatedWebhooks' | 'overtaken' | 'killsAsked' | 'done' | 'perOrder' | 'faults'>,
): ChaosReport {
  const waited = ascending(load.acknowledged.map(({ sentAt, at: answered }) => answered - sentAt));
  return {
    settings,
    ...rest,
    orders: load.acknowledged.length,
    movements: load.moved.reduce<Record<string, number>>(
      (counts, { kind }) => ({ ...counts, [kind]: (counts[kind] ?? 0) + 1 }),
      {},
    ),
    begun: load.begun,
    leftOut: load.leftOut,
    acceptance: { p50: at(waited, 0.5), p99: at(waited, 0.99) },
    retries: load.retries,
    targets: [...new Set(kills.map(({ target }) => target))].sort().map((target) => {
      const of = kills.filter((one) => one.target === target);
      return {
        target,
        kills: of.length,
        silentMs: spread(of.map(({ silentMs }) => silentMs)),
        recoveredMs: spread(of.map(({ recoveredMs }) => recoveredMs)),
      };
    }),
    loadAverage: Math.round(loadavg()[0] ?? 0),
  };
}

const seconds = (ms: number): string => (ms / 1_000).toFixed(1);

/** Formats the report as in the documents. */
export function tableOf(report: ChaosReport): string {
  const {
    settings,
    orders,
    leftOut,
    acceptance,
    retries,
    repeatedWebhooks,
    loadAverage,
    faults,
    seconds: took,
    perOrder,
  } = report;
  return [
    `seed ${settings.seed}, ${settings.rate} orders/s asked for during ${Math.round(took)} s, at most ${settings.maxRequests} under way, ${settings.replicas} of each service, load average ${loadAverage}`,
    ...(report.killsAsked > 0 ? killsOf(report) : []),
    '',
    `${orders} orders acknowledged, ${(orders / took).toFixed(1)}/s of the ${settings.rate}/s asked for; ${leftOut} more were due and left out; acceptance p50 ${acceptance.p50} ms, p99 ${acceptance.p99} ms, outages included; ${retries.unanswered} tries unanswered, ${retries.busy} answered with a retry status; ${repeatedWebhooks} webhooks repeated`,
    `movements: ${Object.entries(report.movements)
      .map(([kind, count]) => `${count} ${kind}`)
      .join(', ')}`,
    `${sum(perOrder).toFixed(0)} ms of processor time an order: ${Object.entries(perOrder)
      .map(([name, ms]) => `${name} ${ms}`)
      .join(', ')}`,
    faults.length === 0
      ? 'no order lost or repeated, the books sum to zero'
      : `${faults.length} faults:\n${faults.slice(0, 20).join('\n')}`,
  ].join('\n');
}

function killsOf({ targets, killsAsked, done: verb }: ChaosReport): string[] {
  const kills = targets.reduce((total, { kills }) => total + kills, 0);
  return [
    ...(kills < killsAsked ? [`time was up: ${kills} of ${killsAsked} kills`] : []),
    '',
    `| ${verb} | times | nothing accepted for, s: median / max | all well again after, s: median / max |`,
    '|---|---|---|---|',
    ...targets.map(
      ({ target, kills, silentMs, recoveredMs }) =>
        `| ${target} | ${kills} | ${seconds(silentMs.median)} / ${seconds(silentMs.max)} | ${seconds(recoveredMs.median)} / ${seconds(recoveredMs.max)} |`,
    ),
  ];
}

/** Writes `bench-results/chaos.json` and returns its path. */
export function kept(report: ChaosReport): string {
  const folder = join(ROOT, 'bench-results');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'chaos.json');
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
  return file;
}
