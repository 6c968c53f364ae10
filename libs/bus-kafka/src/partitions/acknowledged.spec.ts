import type { Consumer } from 'kafkajs';
import { Kafka, KafkaJSProtocolError, logLevel } from 'kafkajs';
import createSendMessages from 'kafkajs/src/producer/sendMessages';
import type { Leader } from 'kafkajs/src/producer/sendMessages';
import { Acknowledged, commitAcknowledged, PartlyAcknowledged } from './acknowledged';

const TOPIC = 'orders.events';
const nothing = (): undefined => undefined;
const notLeader = (): Error =>
  new KafkaJSProtocolError(
    Object.assign(new Error('not the leader'), { type: 'NOT_LEADER_FOR_PARTITION', code: 6, retriable: true }),
  );

/**
 * The send function of kafkajs with two leaders of one partition each. The second leader loses its partition to the
 * first during the send.
 */
function twoLeaders(
  acknowledged: Acknowledged,
  loses: boolean,
): { send(): ReturnType<ReturnType<typeof createSendMessages>>; readonly taken: number[] } {
  const taken: number[] = [];
  let leaders: Record<number, number[]> = { 1: [0], 2: [1] };
  const leader = (nodeId: number): Leader => ({
    nodeId,
    produce: async ({ topicData }) => {
      if (loses && nodeId === 2) {
        leaders = { 1: [0, 1] };
        throw notLeader();
      }
      return {
        topics: topicData.map(({ topic, partitions }) => ({
          topicName: topic,
          partitions: partitions.map(
            ({ partition }) => (taken.push(partition), { partition, errorCode: 0, baseOffset: '7' }),
          ),
        })),
      };
    },
  });
  const brokers: Record<number, Leader> = { 1: leader(1), 2: leader(2) };
  const cluster = {
    refreshMetadataIfNecessary: nothing,
    refreshMetadata: nothing,
    addMultipleTargetTopics: nothing,
    isConnected: () => true,
    findTopicPartitionMetadata: () => [
      { partitionId: 0, leader: 1 },
      { partitionId: 1, leader: 2 },
    ],
    findLeaderForPartitions: () => leaders,
    findBroker: ({ nodeId }: { readonly nodeId: number }) => brokers[nodeId],
  };
  const eosManager = {
    acquireBrokerLock: nothing,
    releaseBrokerLock: nothing,
    isTransactional: () => false,
    getSequence: () => 0,
    updateSequence: nothing,
    getProducerId: () => 1,
    getProducerEpoch: () => 0,
  };
  const send = createSendMessages({
    logger: { error: nothing, debug: nothing },
    cluster,
    eosManager,
    partitioner: acknowledged.partitioner(),
    retrier: (attempt) =>
      attempt(
        (error) => {
          throw error;
        },
        0,
        0,
      ).catch(() =>
        attempt(
          (error) => {
            throw error;
          },
          1,
          0,
        ),
      ),
  });
  const messages = [
    { value: 'a', partition: 0 },
    { value: 'b', partition: 1 },
  ];
  return { send: () => send({ acks: -1, topicMessages: [{ topic: TOPIC, messages }] }), taken };
}

describe('a send to several leaders', () => {
  test('is acknowledged completely if each leader accepts its part', async () => {
    const acknowledged = new Acknowledged();
    const { send, taken } = twoLeaders(acknowledged, false);
    await acknowledged.all(TOPIC, send);
    expect(taken.sort()).toEqual([0, 1]);
  });

  test('is only partly acknowledged if a leader that had responded becomes the leader of the rest, which kafkajs does not send but reports as sent', async () => {
    const acknowledged = new Acknowledged();
    const { send, taken } = twoLeaders(acknowledged, true);
    await expect(acknowledged.all(TOPIC, send)).rejects.toThrow(PartlyAcknowledged);
    expect(taken).toEqual([0]);
  });

  test('is checked each time', async () => {
    const acknowledged = new Acknowledged();
    await expect(acknowledged.all(TOPIC, twoLeaders(acknowledged, true).send)).rejects.toThrow(PartlyAcknowledged);
    await acknowledged.all(TOPIC, twoLeaders(acknowledged, false).send);
  });
});

describe('a commit', () => {
  /** A client whose commits have this outcome, reported as kafkajs does. */
  const consumerWith = (
    commitOffsets: (acknowledge: () => void) => Promise<void>,
  ): { readonly listeners: Set<unknown>; readonly commit: () => Promise<boolean> } => {
    const { events } = new Kafka({ brokers: ['127.0.0.1:1'], logLevel: logLevel.NOTHING }).consumer({ groupId: 'g' });
    const listeners = new Set<() => void>();
    const consumer = {
      events,
      on: (name: string, listener: () => void) => {
        expect(name).toBe(events.COMMIT_OFFSETS);
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      commitOffsets: () =>
        commitOffsets(() => {
          for (const listener of listeners) listener();
        }),
    };
    const offsets = [{ topic: TOPIC, partition: 0, offset: '7' }];
    return {
      listeners,
      commit: () => commitAcknowledged(consumer as unknown as Consumer, offsets),
    };
  };

  test('is acknowledged if the brokers have responded', async () => {
    const { listeners, commit } = consumerWith(async (acknowledge) => acknowledge());
    expect(await commit()).toBe(true);
    expect(listeners.size).toBe(0);
  });

  test('is not acknowledged if the client has stopped and reports success without having sent it', async () => {
    const { listeners, commit } = consumerWith(async () => undefined);
    expect(await commit()).toBe(false);
    expect(listeners.size).toBe(0);
  });

  test('fails with the error of the client', async () => {
    const { listeners, commit } = consumerWith(() => Promise.reject(new Error('fenced')));
    await expect(commit()).rejects.toThrow('fenced');
    expect(listeners.size).toBe(0);
  });
});
