import type { Admin } from 'kafkajs';
import type { EngineLogger } from '@ponte/event-sourcing';
import type { Names } from '../names';
import type { TopicWanted } from './topics';

export interface PartitionsWanted {
  readonly admin: Admin;
  readonly name: Names;
  /** Topics of which each key has a partition. */
  readonly wanted: readonly TopicWanted[];
  /** Topics that this process reads, with the group that does. */
  readonly reads: ReadonlyMap<string, string>;
  /** The service that publishes to a topic. */
  readonly publisherOf: (topic: string) => string;
  /** As the brokers know this process, and the one that it takes the place of. */
  readonly clientId: string;
  readonly logger: EngineLogger;
}

/** More partitions are configured than a topic has, and messages of it are unfinished. */
export class NotDrained extends Error {
  override readonly name = 'NotDrained';
  constructor(topic: string, has: number, wanted: number, why: string) {
    super(
      `topic ${topic} has ${has} partitions but ${wanted} are configured, and ${why}. A new number moves keys to other partitions, which breaks ` +
        'the order of unfinished messages. Drain the topic first: keep the old number, stop the publishing service, let its consumers finish, ' +
        'stop them, then start everything with the new number',
    );
  }
}

/**
 * Gives topics that have fewer partitions than configured the rest of them, but only where nothing is left in them and
 * no process publishes. Throws {@link NotDrained} otherwise. Kafka cannot take partitions away: a lower number is
 * logged and changes nothing.
 */
export async function raisePartitions({
  admin,
  name,
  wanted,
  reads,
  publisherOf,
  clientId,
  logger,
}: PartitionsWanted): Promise<void> {
  if (wanted.length === 0) return;
  const { topics } = await admin.fetchTopicMetadata({ topics: wanted.map(({ topic }) => topic) });
  const has = new Map(topics.map((one) => [one.name, one.partitions.length]));
  for (const { topic, partitions } of wanted) {
    const count = has.get(topic) ?? partitions;
    if (count > partitions)
      logger.warn(
        { topic, has: count, configured: partitions },
        'a topic has more partitions than configured; Kafka cannot remove partitions, so they remain',
      );
    if (count >= partitions) continue;
    const why = await undrained(admin, topic, name.commandsGroup(publisherOf(topic)), clientId, reads.get(topic));
    if (why !== undefined) throw new NotDrained(topic, count, partitions, why);
    await admin.createPartitions({ topicPartitions: [{ topic, count: partitions }] });
    logger.warn({ topic, had: count, has: partitions }, 'partitions were added to a drained topic');
  }
}

/** What is in the way; undefined when the topic is drained. */
async function undrained(
  admin: Admin,
  topic: string,
  publishers: string,
  clientId: string,
  reader: string | undefined,
): Promise<string | undefined> {
  const {
    groups: [publishing],
  } = await admin.describeGroups([publishers]);
  const others = publishing?.members.filter((one) => one.clientId !== clientId) ?? [];
  if (others.length > 0) return `${others.length} processes of the publishing service are running`;
  const ends = await admin.fetchTopicOffsets(topic);
  const { groups } = await admin.listGroups();
  for (const { groupId } of groups) {
    const [committed] = await admin.fetchOffsets({ groupId, topics: [topic] });
    const places = new Map(committed?.partitions.map(({ partition, offset }) => [partition, Number(offset)]));
    // A group without any place does not read the topic, unless it is our own and has not finished anything yet.
    if (groupId !== reader && ![...places.values()].some((place) => place >= 0)) continue;
    const left = ends.reduce(
      (sum, { partition, high, low }) =>
        sum + Math.max(0, Number(high) - Math.max(places.get(partition) ?? 0, Number(low), 0)),
      0,
    );
    if (left > 0) return `group ${groupId} has ${left} unfinished messages of it`;
  }
  return undefined;
}
