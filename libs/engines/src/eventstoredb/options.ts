import type { EngineLogger } from '../log';

export interface EventStoreDbOptions {
  /**
   * `esdb://user:password@host:2113?tls=true&tlsCAFile=/etc/ponte/ca.crt`, or `esdb+discover://` for a cluster. TLS is on
   * unless it says `tls=false`; the user must be allowed to read `$all`.
   */
  readonly connectionString: string;
  readonly logger: EngineLogger;
  /** What the server's own monitoring calls this process. */
  readonly connectionName?: string;
  readonly limits?: Partial<EventStoreDbLimits>;
}

/** How long and how much; milliseconds where a name says so. */
export interface EventStoreDbLimits {
  /** An append that was not answered by then is unknown. Longer than an election of a new leader usually takes. */
  readonly appendMs: number;
  /** A read that gave nothing for so long is given up. */
  readonly readMs: number;
  /** Waits before a dropped subscription is opened again; the last is repeated for ever. */
  readonly resubscribeMs: readonly number[];
  /** Appends on the wire at once: what one connection carries without the server making the next ones wait. */
  readonly inFlight: number;
  /** Appends that may wait for a place; beyond it the store cannot keep up and the caller is told at once. */
  readonly waiting: number;
  /** A consumer that has everything it was sent waits so long before the end of the log is looked at. */
  readonly idleMs: number;
  /** How often the end of the log is looked at while nothing comes. */
  readonly lookMs: number;
}

export const LIMITS: EventStoreDbLimits = {
  appendMs: 5_000,
  readMs: 10_000,
  resubscribeMs: [50, 100, 250, 500, 1_000, 2_000, 5_000],
  inFlight: 100,
  waiting: 10_000,
  idleMs: 20,
  lookMs: 5_000,
};
