import type { EngineLogger } from '@ponte/event-sourcing';

export interface EventStoreDbOptions {
  /**
   * `esdb://user:password@host:2113?tls=true&tlsCAFile=/etc/ponte/ca.crt`, several hosts, or `esdb+discover://` for a
   * cluster. TLS is on unless the string contains `tls=false`. With TLS a user is required, who must be allowed to read
   * `$all`. `nodePreference` applies only to subscriptions.
   */
  readonly connectionString: string;
  readonly logger: EngineLogger;
  /** Name of this process in the server's monitoring. */
  readonly connectionName?: string;
  readonly limits?: Partial<EventStoreDbLimits>;
  /**
   * Whether an operator has decided that readers skip an event that this system did not write. Called once a second
   * while such an event stops a reader.
   */
  readonly isSkipped?: (stream: string, revision: string) => Promise<boolean>;
}

/** Limits of a store, in milliseconds where the name says so. */
export interface EventStoreDbLimits {
  /** After this time without an answer, the outcome of an append is unknown. */
  readonly appendMs: number;
  /** A read that delivers nothing for this long is given up. */
  readonly readMs: number;
  /** How long a call waits for an answer before its node is probed. */
  readonly silenceMs: number;
  /** A node that does not answer a probe within this time is abandoned. */
  readonly proveMs: number;
  /** Interval between probes of the node that serves the subscriptions. */
  readonly pulseMs: number;
  /** Delays before a dropped subscription is reopened; the last one is repeated without limit. */
  readonly resubscribeMs: readonly number[];
  /** The largest number of appends in progress. */
  readonly inFlight: number;
  /** The largest number of reads in progress. */
  readonly readsInFlight: number;
  /** The largest number of readers that catch up in parallel; the others take turns. */
  readonly catchingUp: number;
  /** The largest number of waiting appends. If more arrive, the store cannot keep up, and they are refused at once. */
  readonly waiting: number;
  /**
   * How often the end of the log is read while the subscription delivers nothing. Each read transfers the last event.
   */
  readonly lookMs: number;
  /** If an event that is known to exist is not delivered within this time, the subscription is reopened. */
  readonly missingMs: number;
  /**
   * Pause between the two reads of the leader's log that must agree before a position counts as past its end: a former
   * leader may claim to lead for a moment.
   */
  readonly confirmMs: number;
}

/**
 * Without TLS, `inFlight`, `readsInFlight`, `catchingUp`, the subscription and the probes share the 100 streams of one
 * connection.
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
