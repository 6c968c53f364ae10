import type { EngineLogger } from '@ponte/event-sourcing';

export interface EventStoreDbOptions {
  /**
   * `esdb://user:password@host:2113?tls=true&tlsCAFile=/etc/ponte/ca.crt`, several hosts, or `esdb+discover://` for a cluster. TLS is on unless it says `tls=false`, and then needs a user; the user must be allowed to read `$all`. `nodePreference`
   * is for subscriptions alone.
   */
  readonly connectionString: string;
  readonly logger: EngineLogger;
  /** What the server's own monitoring calls this process. */
  readonly connectionName?: string;
  readonly limits?: Partial<EventStoreDbLimits>;
  /**
   * Whether an operator has decided that readers pass over an event that this system did not write. Asked about once a
   * second while one stops a reader.
   */
  readonly isSkipped?: (stream: string, revision: string) => Promise<boolean>;
}

/** How long and how much; milliseconds where a name says so. */
export interface EventStoreDbLimits {
  /** An append that was not answered by then is unknown. */
  readonly appendMs: number;
  /** How long a read may deliver nothing before it is given up. */
  readonly readMs: number;
  /** How long a call waits for an answer before its node is probed. */
  readonly silenceMs: number;
  /** A node that does not give that sign by then is left. */
  readonly proveMs: number;
  /** How often the node of the subscriptions is asked for a sign of life. */
  readonly pulseMs: number;
  /** Waits before a dropped subscription is opened again; the last is repeated for ever. */
  readonly resubscribeMs: readonly number[];
  /** Appends on the wire at once. */
  readonly inFlight: number;
  /** Reads on the wire at once. */
  readonly readsInFlight: number;
  /** Readers that catch up at once; the others take turns. */
  readonly catchingUp: number;
  /** Appends that may wait for a place; beyond it the store cannot keep up and appends are refused at once. */
  readonly waiting: number;
  /** How often the end of the log is read while the subscription brings nothing: its last event is sent each time. */
  readonly lookMs: number;
  /** An event that is known to exist and was not brought by then has the subscription opened again. */
  readonly missingMs: number;
  /**
   * Between the two looks at the leader's log that must agree before a position is called past its end: a leader from
   * before may claim to lead for a moment.
   */
  readonly confirmMs: number;
}

/**
 * `inFlight`, `readsInFlight`, `catchingUp`, the subscription and the probes share the 100 streams of one connection
 * when there is no TLS.
 */
export const LIMITS: EventStoreDbLimits = {
  appendMs: 5_000,
  readMs: 10_000,
  silenceMs: 1_000,
  proveMs: 1_000,
  pulseMs: 2_000,
  resubscribeMs: [50, 100, 250, 500, 1_000],
  inFlight: 60,
  readsInFlight: 24,
  catchingUp: 8,
  waiting: 10_000,
  lookMs: 120_000,
  missingMs: 5_000,
  confirmMs: 3_000,
};
