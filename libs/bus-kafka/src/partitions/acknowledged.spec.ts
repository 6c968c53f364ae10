import { KafkaJSProtocolError } from 'kafkajs';
import createSendMessages from 'kafkajs/src/producer/sendMessages';
import type { Leader } from 'kafkajs/src/producer/sendMessages';
import { Acknowledged, PartlyAcknowledged } from './acknowledged';

const TOPIC = 'orders.events';
const nothing = (): undefined => undefined;
const notLeader = (): Error =>
  new KafkaJSProtocolError(
    Object.assign(new Error('not the leader'), { type: 'NOT_LEADER_FOR_PARTITION', code: 6, retriable: true }),
  );

/**
 * kafkajs's own way to send, to two leaders of one partition each; the second one loses its partition to the first
 * while it is asked.
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

describe('what the brokers have acknowledged', () => {
  test('is all of it when each leader took its part', async () => {
    const acknowledged = new Acknowledged();
    const { send, taken } = twoLeaders(acknowledged, false);
    await acknowledged.all(TOPIC, send);
    expect(taken.sort()).toEqual([0, 1]);
  });

  test('is not all of it when a leader that had answered has become the leader of the rest: the client reports success and has not sent that', async () => {
    const acknowledged = new Acknowledged();
    const { send, taken } = twoLeaders(acknowledged, true);
    await expect(acknowledged.all(TOPIC, send)).rejects.toThrow(PartlyAcknowledged);
    expect(taken).toEqual([0]);
  });

  test('is asked again each time', async () => {
    const acknowledged = new Acknowledged();
    await expect(acknowledged.all(TOPIC, twoLeaders(acknowledged, true).send)).rejects.toThrow(PartlyAcknowledged);
    await acknowledged.all(TOPIC, twoLeaders(acknowledged, false).send);
  });
});
