import { randomUUID } from 'node:crypto';
import type { KafkaMessage } from 'kafkajs';
import type { EngineLogger } from '@ponte/event-sourcing';
import { openClient } from './client';
import { fromEnvelope } from './envelope';
import { names } from './names';
import type { KafkaConnection } from './options';
import { administer } from './partitions/topics';
import { settledWithin } from '@ponte/concurrency';

/** The details shown of a dead letter, without its body. */
export interface DeadLetter {
  readonly offset: string;
  /** ISO 8601. */
  readonly at: string;
  readonly group: string;
  readonly stream: string;
  readonly event: string;
  readonly reason: string;
}

interface DeadLettersOptions {
  readonly connection: KafkaConnection;
  readonly namespace?: string;
  readonly service: string;
  readonly logger: EngineLogger;
}

const PATIENCE_MS = 30_000;

/**
 * The dead letters of a service that the brokers still keep, oldest first. They are read by a temporary consumer group.
 */
export async function readDeadLetters({
  connection,
  namespace,
  service,
  logger,
}: DeadLettersOptions): Promise<readonly DeadLetter[]> {
  const topic = names(namespace).deadLetters(service);
  const client = openClient(connection, `ponte-operator-${service}`, logger);
  const [offsets] = await administer(client, async (admin) =>
    (await admin.listTopics()).includes(topic) ? admin.fetchTopicOffsets(topic) : [],
  );
  if (!offsets || offsets.low === offsets.high) return [];
  const end = BigInt(offsets.high);
  const groupId = `${namespace ?? ''}ponte.operator.${randomUUID()}`;
  const consumer = client.consumer({ groupId, allowAutoTopicCreation: false });
  const letters: DeadLetter[] = [];
  try {
    await consumer.connect();
    await consumer.subscribe({ topic, fromBeginning: true });
    let read = (): void => undefined;
    const all = new Promise<void>((resolve) => {
      read = resolve;
    });
    await consumer.run({
      autoCommit: false,
      eachMessage: async ({ message }) => {
        if (BigInt(message.offset) < end) letters.push(letterOf(message));
        if (BigInt(message.offset) >= end - 1n) read();
      },
    });
    await settledWithin(PATIENCE_MS, all);
  } finally {
    await consumer.disconnect();
    await administer(client, (admin) => admin.deleteGroups([groupId])).catch(() => undefined);
  }
  return letters;
}

function letterOf({ offset, headers, key, value }: KafkaMessage): DeadLetter {
  const header = (name: string): string => headers?.[name]?.toString() ?? '';
  return {
    offset,
    at: header('ponte-parked-at'),
    group: header('ponte-group'),
    stream: key?.toString() ?? '',
    event: idOf(value),
    reason: header('ponte-reason'),
  };
}

/** Empty for a message that is not an event. */
function idOf(value: Buffer | null): string {
  try {
    return fromEnvelope(value).id;
  } catch {
    return '';
  }
}
