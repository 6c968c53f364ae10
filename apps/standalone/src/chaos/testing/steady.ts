import { setTimeout as wait } from 'node:timers/promises';
import type { Listener } from './listener';
import type { Load } from './load';
import type { ProcessorTime, Spent } from './processor-time';

interface SteadyParts {
  readonly load: Load;
  readonly listener: Listener;
  readonly processor: ProcessorTime;
  readonly say: (line: string) => void;
}

/** Milliseconds of processor time per completed and reported order, by process name. */
export type PerOrder = Readonly<Record<string, number>>;

/** The interval between two lines of progress. */
const WINDOW_MS = 10_000;

/** The counters at one moment of a run. */
export interface Mark {
  readonly at: number;
  readonly reported: number;
  readonly accepted: number;
  readonly spent: Spent;
}

export const mark = ({ load, listener, processor }: Omit<SteadyParts, 'say'>): Mark => ({
  at: Date.now(),
  reported: listener.completed.size,
  accepted: load.acknowledged.length,
  spent: processor.now(),
});

/** The processor time spent between two marks per order reported between them, most expensive process first. */
export function perOrder(from: Mark, to: Mark): PerOrder {
  const orders = Math.max(1, to.reported - from.reported);
  const each = [...to.spent].map(([name, ms]): [string, number] => [name, (ms - (from.spent.get(name) ?? 0)) / orders]);
  return Object.fromEntries(each.sort(([, a], [, b]) => b - a).map(([name, ms]) => [name, Math.round(ms * 10) / 10]));
}

export const sum = (costs: PerOrder): number => Object.values(costs).reduce((total, ms) => total + ms, 0);

/**
 * Lets the load run without kills. The cost of an order is measured in the second half; in the first half the processes
 * warm up.
 */
export async function steady(parts: SteadyParts, seconds: number): Promise<{ readonly from: Mark; readonly to: Mark }> {
  const windows = Math.max(2, Math.round((seconds * 1_000) / WINDOW_MS));
  let [from, last] = [mark(parts), mark(parts)];
  for (let window = 1; window <= windows; window += 1) {
    await wait(WINDOW_MS);
    const now = mark(parts);
    parts.say(lineOf(last, now, parts.load));
    last = now;
    if (window === Math.floor(windows / 2)) from = now;
  }
  return { from, to: last };
}

function lineOf(from: Mark, to: Mark, { inFlight }: Load): string {
  const seconds = (to.at - from.at) / 1_000;
  const each = (count: number): string => `${(count / seconds).toFixed(1)}/s`;
  return `accepted ${each(to.accepted - from.accepted)}, reported ${each(to.reported - from.reported)}, ${inFlight} in progress, ${sum(perOrder(from, to)).toFixed(0)} ms of processor time an order`;
}
