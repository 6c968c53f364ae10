import type { Checkpoints, EngineLogger, EventStore, ParkedEvents } from '@ponte/event-sourcing';
import type { BackgroundThrottle } from './background-throttle';
import type { IsDeclaredNested } from './nested-requests';
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
  /** For tests: if set, a handler that makes an undeclared nested request fails, and so does `stop`. */
  readonly isDeclaredNested?: IsDeclaredNested;
  readonly retries?: RetrySchedule;
  /** Passed if other parts of the process share the throttle. */
  readonly throttle?: BackgroundThrottle;
  /** How often events that were parked because of an outage are handled again, in milliseconds. */
  readonly outageReleaseMs?: number;
}
