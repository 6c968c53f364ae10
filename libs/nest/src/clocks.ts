import { randomBytes } from 'node:crypto';
import { SANDBOX_CLOCK_CATEGORY, SANDBOX_CLOCK_ID } from '@ponte/contracts';
import type { SandboxTime } from '@ponte/contracts';
import type { EngineLogger, EventStore } from '@ponte/event-sourcing';
import type { LogWatch } from '@ponte/read-models';
import { watchLog } from '@ponte/read-models';
import { EventStoreUnavailable, streamName } from '@ponte/event-sourcing';
import type { Clock, Ids } from '@ponte/kernel';
import { RANDOM_DIGITS, uuidV7 } from '@ponte/kernel';
import type { Environment } from './process/runtime';
import { retry } from '@ponte/concurrency';

export const systemClock: Clock = { now: () => Date.now() };

/** Ids per call to the system's random generator: the call costs more than the ids themselves. */
const IDS_PER_REFILL = 256;
const REFILL_BYTES = (RANDOM_DIGITS * IDS_PER_REFILL) / 2;

/** UUIDv7 from the clock and the random generator of the system. */
export function createIds(): Ids {
  let pool = '';
  let used = 0;
  return {
    next() {
      if (used === pool.length) {
        pool = randomBytes(REFILL_BYTES).toString('hex');
        used = 0;
      }
      used += RANDOM_DIGITS;
      return uuidV7(systemClock.now(), pool.slice(used - RANDOM_DIGITS, used));
    },
  };
}

/** Business time of a sandbox: the machine's time plus the offset recorded in the log. */
export class SandboxClock implements Clock {
  private aheadMs = 0;

  now(): number {
    return systemClock.now() + this.aheadMs;
  }

  /** Moves the time forward, never back, so that later decisions have later times. */
  reach({ aheadMs }: SandboxTime): void {
    this.aheadMs = Math.max(this.aheadMs, aheadMs);
  }
}

/** The business clock of one process, until it is stopped. */
export interface BusinessTime extends LogWatch {
  readonly clock: Clock;
}

const STREAM = streamName(SANDBOX_CLOCK_CATEGORY, SANDBOX_CLOCK_ID);
const PATIENCE_MS = 30_000;

/**
 * Opens the clock for the decisions of this process. In the sandbox, the clock has the time recorded in the log before
 * anything is decided, and then follows later events ([ADR
 * 54](../../../docs/adr/0054-sandbox-time-and-bank-are-recorded.md)). In production it is the machine's clock, and a
 * log whose time was moved is refused, because its events may lie in the future.
 */
export async function businessTime(
  environment: Environment,
  store: EventStore,
  logger: EngineLogger,
): Promise<BusinessTime> {
  if (environment === 'production') {
    if ((await retryWhileUnavailable(() => store.read(STREAM, { limit: 1 }))).length > 0)
      throw new Error(
        'this event log cannot be used in production: its business time was moved, which only a sandbox can do',
      );
    return { clock: systemClock, stop: async () => undefined };
  }
  const clock = new SandboxClock();
  // Watches before reading, so that no event is missed. Applying an event twice changes nothing.
  const watch = await retryWhileUnavailable(() =>
    watchLog({
      store,
      logger,
      name: 'business-time',
      categories: [SANDBOX_CLOCK_CATEGORY],
      notify: ({ data }) => clock.reach(data as SandboxTime),
    }),
  );
  for (const { data } of await retryWhileUnavailable(() => store.read(STREAM))) clock.reach(data as SandboxTime);
  return { clock, stop: () => watch.stop() };
}

/** Waits for a store that starts together with this process. */
const retryWhileUnavailable = <T>(work: () => Promise<T>): Promise<T> =>
  retry(work, { patienceMs: PATIENCE_MS, shouldRetry: (error) => error instanceof EventStoreUnavailable });
