import type { Timers } from '@ponte/concurrency';
import { eventually } from '@ponte/testing';

/** The repeated jobs that look at everything unfinished: transactions of each key, and deposits of each chain. */
const ROUND = /^movements (goes round .*|reads deposits of .* again)$/;
const MANY = 8;

/** Counts the rounds of a service, so that a test can wait for many of them, however long these take. */
export class CountedRounds {
  /** Rounds that have ended, by the name of their job. */
  private readonly ended = new Map<string, number>();

  /** The same engines with timers whose rounds are counted. */
  over<E extends { readonly timers: Timers }>(engines: E): E {
    const { timers } = engines;
    const every: Timers['every'] = (name, milliseconds, job) =>
      timers.every(name, milliseconds, async (signal) => {
        await job(signal).finally(() => this.ended.set(name, (this.ended.get(name) ?? 0) + 1));
      });
    return { ...engines, timers: { ...timers, every } };
  }

  /** Resolves when each job has begun and ended `count` further rounds. */
  async pass(count = MANY): Promise<void> {
    const before = new Map(this.ended);
    await eventually(() => {
      const rounds = [...this.ended].filter(([name]) => ROUND.test(name));
      expect(rounds).not.toEqual([]);
      // The first one may have begun before.
      for (const [name, ended] of rounds) expect(ended - (before.get(name) ?? 0)).toBeGreaterThan(count);
    });
  }
}
