import type { Checkpoints, EngineLogger, EventStore, ParkedEvents } from '@ponte/event-sourcing';
import type { BackgroundThrottle } from './background-throttle';
import type { MayAsk } from './nested-requests';
import type { RetrySchedule } from './retry-schedule';

export interface InProcessBusOptions {
  readonly store: EventStore;
  readonly checkpoints: Checkpoints;
  readonly parkedEvents: ParkedEvents;
  /** The system's clock: epoch milliseconds. */
  readonly systemNow: () => number;
  readonly logger: EngineLogger;
  /** The stream categories whose events each service publishes. */
  readonly serviceCategories: Readonly<Record<string, readonly string[]>>;
  /** Refuses payloads and replies that a real bus could not carry. For development and tests: it costs microseconds. */
  readonly checkPayloads?: boolean;
  /** With it, a handler that makes a request without permission fails, and so does `stop`. For tests. */
  readonly mayAsk?: MayAsk;
  readonly retries?: RetrySchedule;
  /** Passed if other parts of the process share the throttle. */
  readonly throttle?: BackgroundThrottle;
  /** How often events that were parked because of an outage are handled again, in milliseconds. */
  readonly outageReleaseMs?: number;
}
