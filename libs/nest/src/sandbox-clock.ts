import { SANDBOX_CLOCK_CATEGORY, SANDBOX_CLOCK_ID } from '@ponte/contracts';
import type { SandboxTime } from '@ponte/contracts';
import type { EngineLogger, EventStore } from '@ponte/event-sourcing';
import type { LogWatch } from '@ponte/read-models';
import { watchLog } from '@ponte/read-models';
import { EventStoreUnavailable, streamName } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { systemClock } from './defaults';
import type { Environment } from './process/runtime';
import { retry } from '@ponte/concurrency';

/** Business time of a sandbox: the machine's, and as much ahead of it as the log says. */
export class SandboxClock implements Clock {
  private aheadMs = 0;

  now(): number {
    return systemClock.now() + this.aheadMs;
  }

  /** Never back: what was decided at a time is followed by what was decided later. */
  reach({ aheadMs }: SandboxTime): void {
    this.aheadMs = Math.max(this.aheadMs, aheadMs);
  }
}

/** Business time of one process, until it stops. */
export interface BusinessTime extends LogWatch {
  readonly clock: Clock;
}

const STREAM = streamName(SANDBOX_CLOCK_CATEGORY, SANDBOX_CLOCK_ID);
const PATIENCE_MS = 30_000;

/**
 * The clock that this process decides by. In the sandbox it stands where the log says before anything is decided, and
 * follows whatever is appended from then on ([ADR 54](../../../docs/adr/0054-sandbox-time-and-bank-are-recorded.md)).
 * In production it is the machine's, and a log whose time was moved is refused: its events lie in a future that has not
 * come.
 */
export async function businessTime(
  environment: Environment,
  store: EventStore,
  logger: EngineLogger,
): Promise<BusinessTime> {
  if (environment === 'production') {
    if ((await patiently(() => store.read(STREAM, { limit: 1 }))).length > 0)
      throw new Error(
        'this event log cannot be used in production: its business time was moved, which only a sandbox can do',
      );
    return { clock: systemClock, stop: async () => undefined };
  }
  const clock = new SandboxClock();
  // Watched before it is read, so that nothing comes between; what comes by both ways changes nothing twice.
  const watch = await patiently(() =>
    watchLog({
      store,
      logger,
      name: 'business-time',
      categories: [SANDBOX_CLOCK_CATEGORY],
      tell: ({ data }) => clock.reach(data as SandboxTime),
    }),
  );
  for (const { data } of await patiently(() => store.read(STREAM))) clock.reach(data as SandboxTime);
  return { clock, stop: () => watch.stop() };
}

/** A store that comes up with this process is waited for. */
const patiently = <T>(work: () => Promise<T>): Promise<T> =>
  retry(work, { patienceMs: PATIENCE_MS, shouldRetry: (error) => error instanceof EventStoreUnavailable });
