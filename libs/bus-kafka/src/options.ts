import type { KafkaConfig } from 'kafkajs';
import type { EngineLogger, ParkedEvents } from '@ponte/event-sourcing';
import type { RetrySchedule } from '@ponte/bus-in-process';
import type { BusObserver } from './observer';
import type { LogEnd, PublishedLog } from './partitions/published-log';

/** How to connect. TLS and SASL are kafkajs's own settings; `socketFactory` is for tests that cut the connection. */
export type KafkaConnection = Pick<KafkaConfig, 'ssl' | 'sasl' | 'socketFactory'> & {
  readonly brokers: readonly string[];
};

/** Settings of new topics. Existing topics keep theirs, except that partitions may be added. */
export interface TopicSettings {
  /**
   * Number of partitions of each topic for commands and events. It must be the same for all services, since the first
   * process to start creates the topics. More replicas of a service than this are idle. A higher number is applied to
   * topics whose events are all handled; if one is in use, the process refuses to start.
   */
  readonly partitions: number;
  /**
   * Copies of each partition. With 3, as in production, at least two of them have every acknowledged message
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
  // Commands contain encrypted personal data, so they are kept only as long as inspecting them may be useful.
  commandsRetentionMs: HOUR_MS,
  // The log is the record of events. This is only how long a consumer may be offline.
  eventsRetentionMs: 7 * DAY_MS,
  deadLettersRetentionMs: 30 * DAY_MS,
  repliesRetentionMs: 5 * MINUTE_MS,
};

/** Limits of a bus, in milliseconds where the name says so. */
export interface KafkaLimits {
  /** Time limit of a request that has no deadline. */
  readonly requestMs: number;
  /** A group member without heartbeats for this long is replaced. By default, brokers accept 6 s or more. */
  readonly sessionMs: number;
  readonly heartbeatMs: number;
  /**
   * How long a broker holds a fetch while there are no messages. New messages end the wait at once, so this is how
   * often an idle consumer fetches.
   */
  readonly fetchWaitMs: number;
  /** Pause of an event reader after a fetch that brought messages, so that under load a fetch returns several. */
  readonly eventsLingerMs: number;
  /** Maximum number of requests handled concurrently per level, and of streams handled in parallel. */
  readonly atOnce: number;
  /**
   * A partition is paused at this number of unfinished messages, and resumed at a quarter of it. Requests whose
   * handlers make nested requests do not count, because the other services may in turn wait for requests behind them.
   * Those have the same limit of their own, above which they are refused.
   */
  readonly unfinished: number;
  /** Number of messages that may be ahead of one being retried. A crash causes their redelivery. */
  readonly ahead: number;
  /** Autoscaling by lag counts uncommitted messages as waiting work, so commits are frequent. */
  readonly commitEveryMs: number;
  /** Repeated replies are dropped, and nothing scales by them. A commit only reduces how many are delivered again. */
  readonly commitRepliesEveryMs: number;
  /** A consumer that has not fetched for this long is replaced. */
  readonly stalledMs: number;
  /** Delays before a failed consumer is restarted; the last one is repeated without limit. */
  readonly restartMs: readonly number[];
  /** How long {@link KafkaBus.start} waits for the brokers. */
  readonly startMs: number;
  /** How long a stop waits for work in progress, and then again for the brokers. */
  readonly stopMs: number;
  /** Interval between searches for unread reply topics. A topic found unread twice in a row is deleted. */
  readonly replyTopicCleanupMs: number;
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
  replyTopicCleanupMs: 60_000,
};

export interface KafkaBusOptions {
  readonly connection: KafkaConnection;
  /** The service of this process, which is part of the names of its topics and groups. */
  readonly service: string;
  /** Identifies this process among the replicas of its service: the pod's name, or an id generated at the start. */
  readonly instance: string;
  /** The system's clock: epoch milliseconds. */
  readonly systemNow: () => number;
  readonly logger: EngineLogger;
  /** The stream categories whose events each service publishes. */
  readonly serviceCategories: Readonly<Record<string, readonly string[]>>;
  readonly parkedEvents: ParkedEvents;
  /**
   * The log that the events come from. With it, a consumer also notices events that were lost while no member of its
   * group was reading. It is read once for each stream after a restart or rebalance.
   */
  readonly log?: PublishedLog & LogEnd;
  readonly retries?: RetrySchedule;
  /**
   * The level of a request: 0 if its handler makes no nested requests; otherwise higher than the level of each of them.
   * Each level has a pool of its own. By default all are 0.
   */
  readonly levelOf?: (pattern: string) => number;
  /** Prefix of all names of topics and groups, so that several installations can share the brokers. */
  readonly namespace?: string;
  readonly topics?: Partial<TopicSettings>;
  readonly limits?: Partial<KafkaLimits>;
  readonly observer?: BusObserver;
  /** Requests with a handler in this process are function calls, unless this is false. */
  readonly callOwn?: boolean;
}
