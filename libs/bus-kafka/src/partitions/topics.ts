import { retry } from '@ponte/concurrency';
import type { Admin, ITopicConfig, Kafka } from 'kafkajs';
import type { Names } from '../names';
import type { TopicSettings } from '../options';

export interface RequiredTopic {
  readonly topic: string;
  readonly partitions: number;
  readonly retentionMs: number;
  /** The largest message, if larger than the brokers' default of a megabyte. */
  readonly maxMessageBytes?: number;
}

/** Runs work with its own administrator connection. */
export async function administer<T>(client: Kafka, work: (admin: Admin) => Promise<T>): Promise<T> {
  const admin = client.admin();
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.disconnect();
  }
}

/** It takes a moment until every broker knows a new topic; on a busy machine, seconds. */
const MAX_ATTEMPTS = 100;
const POLL_INTERVAL_MS = 100;

/** Creates missing topics and waits until the brokers know them. Several processes may call this at the same time. */
export async function ensureTopics(
  admin: Admin,
  required: readonly RequiredTopic[],
  settings: TopicSettings,
): Promise<void> {
  const existing = new Set(await admin.listTopics());
  const missing = required.filter(({ topic }) => !existing.has(topic));
  // Created one at a time: if another process creates one meanwhile, the broker would refuse a list in parts.
  for (const one of missing) await admin.createTopics({ waitForLeaders: false, topics: [described(one, settings)] });
  if (missing.length > 0)
    await known(
      admin,
      missing.map(({ topic }) => topic),
    );
}

function described(
  { topic, partitions, retentionMs, maxMessageBytes }: RequiredTopic,
  { replication }: TopicSettings,
): ITopicConfig {
  const config = {
    'retention.ms': retentionMs,
    'segment.ms': segmentMs(retentionMs),
    // An acknowledged message survives the loss of any broker; with enough copies, writing continues without it.
    'min.insync.replicas': Math.max(1, Math.min(2, replication - 1)),
    ...(maxMessageBytes === undefined ? {} : { 'max.message.bytes': maxMessageBytes }),
  };
  return {
    topic,
    numPartitions: partitions,
    replicationFactor: replication,
    configEntries: Object.entries(config).map(([name, value]) => ({ name, value: String(value) })),
  };
}

/** Retries on every error: the client does not distinguish "not known yet" from "never", and a retry is cheap. */
const known = (admin: Admin, topics: string[]): Promise<void> =>
  retry(
    async () => {
      const { topics: found } = await admin.fetchTopicMetadata({ topics });
      if (!found.every(({ partitions }) => partitions.length > 0 && partitions.every(({ leader }) => leader >= 0)))
        throw new Error('a new topic has no leader yet');
    },
    { delays: [POLL_INTERVAL_MS], shouldRetry: (_, failures) => failures < MAX_ATTEMPTS, ref: false },
  );

const SEGMENTS = 4;
const MAX_SEGMENT_MS = 24 * 3_600_000;
const MIN_SEGMENT_MS = 60_000;

/** Brokers delete only whole, closed segments, so a short retention needs short segments. */
const segmentMs = (retentionMs: number): number =>
  Math.min(MAX_SEGMENT_MS, Math.max(MIN_SEGMENT_MS, Math.floor(retentionMs / SEGMENTS)));

/** The topics needed by a service and the services that it consumes. */
export function serviceTopics(
  name: Names,
  service: string,
  consumed: readonly string[],
  settings: TopicSettings,
): RequiredTopic[] {
  const { partitions } = settings;
  const events = [...new Set([service, ...consumed])];
  return [
    { topic: name.commands(service), partitions, retentionMs: settings.commandsRetentionMs },
    ...events.map((one) => ({ topic: name.events(one), partitions, retentionMs: settings.eventsRetentionMs })),
    { topic: name.deadLetters(service), partitions: 1, retentionMs: settings.deadLettersRetentionMs },
  ];
}
