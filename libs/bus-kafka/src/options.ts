import type { KafkaConfig } from 'kafkajs';
import type { EngineLogger, ParkedEvents } from '@ponte/event-sourcing';
import type { RetrySchedule } from '@ponte/bus-in-process';
import type { BusObserver } from './observer';

/**
 * How to reach the brokers. TLS and SASL are kafkajs's own settings; `socketFactory` is for tests that cut the wire.
 */
export type KafkaConnection = Pick<KafkaConfig, 'ssl' | 'sasl' | 'socketFactory'> & {
  readonly brokers: readonly string[];
};

/** How topics are made. One that is there already is left as it is. */
export interface TopicSettings {
  /**
   * Of commands and events each; the same for all services, since the first process that starts creates the topics.
   * More replicas of a service than this have nothing to do. A higher number is applied to topics that are drained;
   * where one is in use the process refuses to start.
   */
  readonly partitions: number;
  /**
   * Copies of each partition; with 3, as in production, an acknowledgement means that two have it
   * (`min.insync.replicas` 2).
   */
  readonly replication: number;
  readonly commandsRetentionMs: number;
  readonly eventsRetentionMs: number;
  readonly deadLettersRetentionMs: number;
  readonly repliesRetentionMs: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export const TOPICS: TopicSettings = {
  partitions: 6,
  replication: 1,
  // Commands carry personal data, though sealed: they are kept no longer than someone could still be interested in
  // them.
  commandsRetentionMs: HOUR_MS,
  // The log is the record; this is only how long a consumer may be away.
  eventsRetentionMs: 7 * DAY_MS,
  deadLettersRetentionMs: 30 * DAY_MS,
  repliesRetentionMs: 5 * MINUTE_MS,
};

/** How long and how much; milliseconds where a name says so. */
export interface KafkaLimits {
  /** A request without a deadline of its own is given up after this. */
  readonly requestMs: number;
  /** A member of a group that sends no heartbeat for this long is replaced. Brokers accept 6 s and more by default. */
  readonly sessionMs: number;
  readonly heartbeatMs: number;
  /**
   * How long a broker holds a fetch that finds nothing. New messages end the wait at once; so this is how often an idle
   * consumer asks.
   */
  readonly fetchWaitMs: number;
  /** How long a reader of events waits after a fetch before the next one, so that under load a fetch brings several. */
  readonly eventsLingerMs: number;
  /** Requests carried out at once, and streams handled at once. */
  readonly atOnce: number;
  /** Messages taken from a partition and not finished, from which on it is paused; it is resumed at a quarter. */
  readonly unfinished: number;
  /**
   * Messages that may be ahead of one that is tried again and again: they come once more should the process die
   * meanwhile.
   */
  readonly ahead: number;
  /** Who scales by lag sees what is not committed as work that waits. */
  readonly commitEveryMs: number;
  /**
   * Replies that come again are dropped, and no one scales by them: all that a commit does is to have fewer of them
   * come again.
   */
  readonly commitRepliesEveryMs: number;
  /** A consumer that does not fetch for this long is replaced. */
  readonly stalledMs: number;
  /** Waits before a consumer that broke down is started again; the last is repeated for ever. */
  readonly restartMs: readonly number[];
  /** How long {@link KafkaBus.start} waits for the brokers. */
  readonly startMs: number;
  /** How long a stop waits for what runs, and again for the brokers to be notified. */
  readonly stopMs: number;
  /** How often reply topics that no one reads are looked for; one is deleted when two looks in a row found it so. */
  readonly sweepEveryMs: number;
}

export const LIMITS: KafkaLimits = {
  requestMs: 15_000,
  sessionMs: 6_000,
  heartbeatMs: 1_500,
  fetchWaitMs: 500,
  eventsLingerMs: 50,
  atOnce: 256,
  unfinished: 1_024,
  ahead: 20_000,
  commitEveryMs: 500,
  commitRepliesEveryMs: 5_000,
  stalledMs: 30_000,
  restartMs: [100, 250, 500, 1_000, 2_000, 5_000],
  startMs: 60_000,
  stopMs: 10_000,
  sweepEveryMs: 60_000,
};

export interface KafkaBusOptions {
  readonly connection: KafkaConnection;
  /** The service of this process: its topics and its groups are named after it. */
  readonly service: string;
  /** Tells this process from the service's others: the pod's name, or an id made at the start. */
  readonly instance: string;
  /** The system's clock: epoch milliseconds. */
  readonly systemNow: () => number;
  readonly logger: EngineLogger;
  /** The stream categories whose events each service publishes. */
  readonly serviceCategories: Readonly<Record<string, readonly string[]>>;
  readonly parkedEvents: ParkedEvents;
  readonly retries?: RetrySchedule;
  /** How often parked events whose cause was an outage are handed over again, milliseconds. */
  readonly outageReleaseMs?: number;
  /** Goes before every name of a topic or group: several clusters of services can share the brokers. */
  readonly namespace?: string;
  readonly topics?: Partial<TopicSettings>;
  readonly limits?: Partial<KafkaLimits>;
  readonly observer?: BusObserver;
  /** A request that is answered in this process is a call, unless this is false. */
  readonly callOwn?: boolean;
}
