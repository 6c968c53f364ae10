import type { Kafka } from 'kafkajs';
import { KafkaJSAggregateError, KafkaJSProtocolError } from 'kafkajs';
import type { EngineLogger } from '@ponte/event-sourcing';
import { safeError } from '@ponte/event-sourcing';
import { retry } from '@ponte/concurrency';
import type { StaticMembers } from './static-membership';
import { staticMembersOf } from './static-membership';
import type { Names } from '../names';
import type { TopicSettings } from '../options';
import { NotDrained, raisePartitions } from './partitions';
import type { Sender } from '../sender';
import type { RequiredTopic } from './topics';
import { administer, ensureTopics } from './topics';

interface PrepareTopicsOptions {
  readonly client: Kafka;
  readonly sender: Pick<Sender, 'open'>;
  readonly clientId: string;
  readonly name: Names;
  readonly settings: TopicSettings;
  readonly service: string;
  readonly required: readonly RequiredTopic[];
  /** Services whose events this process consumes. */
  readonly consumed: readonly string[];
  readonly startMs: number;
  readonly logger: EngineLogger;
  readonly isStopping: () => boolean;
}

/**
 * Creates the topics of a process and returns the group members of its predecessor with the same name. A process may
 * start before its brokers, so it waits for them. Throws `NotDrained` if more partitions are configured for a topic in
 * use, and at once if the user may not do something.
 */
export async function prepareTopics(options: PrepareTopicsOptions): Promise<StaticMembers> {
  const { client, sender, clientId, name, settings, service, required, consumed, startMs, logger, isStopping } =
    options;
  const groups = [
    ...required.filter(({ topic }) => topic.startsWith(name.repliesOf())).map(({ topic }) => name.repliesGroup(topic)),
    name.commandsGroup(service),
    name.eventsGroup(service),
  ];
  const reads = new Map([
    ...consumed.map((one) => [name.events(one), name.eventsGroup(service)] as const),
    [name.commands(service), name.commandsGroup(service)],
  ]);
  return retry(
    async () => {
      await sender.open();
      return await administer(client, async (admin) => {
        await ensureTopics(admin, required, settings);
        await raisePartitions({
          admin,
          name,
          clientId,
          logger,
          reads,
          required: keyed(required, settings),
          publisherOf: (topic) => serviceOf(topic, name),
        });
        return await staticMembersOf(admin, groups, clientId);
      });
    },
    {
      patienceMs: startMs,
      shouldRetry: (error) => !(error instanceof NotDrained) && !isForbidden(error) && !isStopping(),
      onRetry: (error) => logger.warn({ error: safeError(error) }, 'the brokers cannot be reached yet'),
      ref: false,
    },
  );
}

/** The user of the brokers lacks a right, so waiting does not help. */
const isForbidden = (error: unknown): boolean =>
  error instanceof KafkaJSAggregateError
    ? error.errors.some(isForbidden)
    : error instanceof KafkaJSProtocolError && error.type.endsWith('_AUTHORIZATION_FAILED');

/** The topics with the configured number of partitions; the others always have one. */
const keyed = (required: readonly RequiredTopic[], { partitions }: TopicSettings): readonly RequiredTopic[] =>
  required.filter((one) => one.partitions === partitions && partitions > 1);

/** Extracts the service from `<namespace><service>.events` or `<namespace><service>.commands`. */
const serviceOf = (topic: string, name: Names): string =>
  topic.slice(name.events('').length - '.events'.length, topic.lastIndexOf('.'));
