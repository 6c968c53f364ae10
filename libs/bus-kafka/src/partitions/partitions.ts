import type { Admin } from 'kafkajs';
import type { EngineLogger } from '@ponte/event-sourcing';
import type { Names } from '../names';
import type { RequiredTopic } from './topics';

interface RaisePartitionsOptions {
  readonly admin: Admin;
  readonly name: Names;
  /** Topics in which a message's key determines its partition. */
  readonly required: readonly RequiredTopic[];
  /** Topics that this process reads, each with its consumer group. */
  readonly reads: ReadonlyMap<string, string>;
  /** The service that publishes to a topic. */
  readonly publisherOf: (topic: string) => string;
  /** The client id of this process, which its predecessor also used. */
  readonly clientId: string;
  readonly logger: EngineLogger;
}

/** More partitions are configured than a topic has, and the topic has unfinished messages or a running publisher. */
export class NotDrained extends Error {
  override readonly name = 'NotDrained';
  constructor(topic: string, has: number, required: number, why: string) {
    super(
      `topic ${topic} has ${has} partitions but ${required} are configured, and ${why}. A new number moves keys to other partitions, which breaks ` +
        'the order of unfinished messages. Drain the topic first: keep the old number, stop the publishing service, let its consumers finish, ' +
        'stop them, then start everything with the new number',
    );
  }
}

/**
 * Adds partitions to topics that have fewer than configured, but only if no event is unfinished and no process
 * publishes. Otherwise throws {@link NotDrained}. Kafka cannot remove partitions, so a lower number is logged and
 * changes nothing.
 */
export async function raisePartitions({
  admin,
  name,
  required,
  reads,
  publisherOf,
  clientId,
  logger,
}: RaisePartitionsOptions): Promise<void> {
  if (required.length === 0) return;
  const { topics } = await admin.fetchTopicMetadata({ topics: required.map(({ topic }) => topic) });
  const has = new Map(topics.map((one) => [one.name, one.partitions.length]));
  for (const { topic, partitions } of required) {
    const count = has.get(topic) ?? partitions;
    if (count > partitions)
      logger.warn(
        { topic, has: count, configured: partitions },
        'a topic has more partitions than configured; Kafka cannot remove partitions, so they remain',
      );
    if (count >= partitions) continue;
    const publisher = publisherOf(topic);
    const why = await undrained({
      admin,
      topic,
      publishers: name.commandsGroup(publisher),
      clientId,
      reader: reads.get(topic),
      isOfRequests: topic === name.commands(publisher),
    });
    if (why !== undefined) throw new NotDrained(topic, count, partitions, why);
    await admin.createPartitions({ topicPartitions: [{ topic, count: partitions }] });
    logger.warn({ topic, had: count, has: partitions }, 'partitions were added to a drained topic');
  }
}

interface PossiblyDrained {
  readonly admin: Admin;
  readonly topic: string;
  /** The group of the processes that publish to the topic. */
  readonly publishers: string;
  readonly clientId: string;
  /** Our own group that reads the topic, if any. */
  readonly reader: string | undefined;
  /** Whether the topic has requests, not events. */
  readonly isOfRequests: boolean;
}

/**
 * The reason why the topic is not drained; undefined if it is. Requests without a process that could answer them do not
 * count: services that run already may make them at any time. They need no order, because a caller waits for the reply
 * until the deadline, and the event store decides between requests that are handled at the same time.
 */
async function undrained({
  admin,
  topic,
  publishers,
  clientId,
  reader,
  isOfRequests,
}: PossiblyDrained): Promise<string | undefined> {
  const {
    groups: [publishing],
  } = await admin.describeGroups([publishers]);
  const others = publishing?.members.filter((one) => one.clientId !== clientId) ?? [];
  if (others.length > 0) return `${others.length} processes of the publishing service are running`;
  if (isOfRequests) return undefined;
  const ends = await admin.fetchTopicOffsets(topic);
  const { groups } = await admin.listGroups();
  for (const { groupId } of groups) {
    const [committed] = await admin.fetchOffsets({ groupId, topics: [topic] });
    const offsets = new Map(committed?.partitions.map(({ partition, offset }) => [partition, Number(offset)]));
    // A group without offsets does not read the topic, unless it is our own group that has not finished anything yet.
    if (groupId !== reader && ![...offsets.values()].some((offset) => offset >= 0)) continue;
    const left = ends.reduce(
      (sum, { partition, high, low }) =>
        sum + Math.max(0, Number(high) - Math.max(offsets.get(partition) ?? 0, Number(low), 0)),
      0,
    );
    if (left > 0) return `group ${groupId} has ${left} unfinished messages of it`;
  }
  return undefined;
}
