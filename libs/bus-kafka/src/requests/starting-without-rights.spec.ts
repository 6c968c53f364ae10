import { Kafka, KafkaJSAggregateError, KafkaJSProtocolError, logLevel } from 'kafkajs';
import { names } from '../names';
import { TOPICS } from '../options';
import { prepareTopics } from '../partitions/prepare-topics';

const protocolError = (type: string) => new KafkaJSProtocolError({ type, code: 29, message: type } as never);

test.each([
  ['an error of the brokers', protocolError('TOPIC_AUTHORIZATION_FAILED')],
  ['one of several', new KafkaJSAggregateError('x', [protocolError('CLUSTER_AUTHORIZATION_FAILED') as never])],
])('a start to which the brokers refuse a right fails at once and is not taken for an outage: %s', async (_, error) => {
  const logger = { warn: jest.fn(), error: jest.fn() };
  const sender = { open: jest.fn().mockResolvedValueOnce(undefined).mockRejectedValue(error) };
  const client = new Kafka({ brokers: ['127.0.0.1:1'], logLevel: logLevel.NOTHING });
  jest.spyOn(client, 'admin').mockReturnValue({
    connect: async () => undefined,
    disconnect: async () => undefined,
    listTopics: async () => Promise.reject(error),
  } as never);
  const prepared = prepareTopics({
    ...{ client, sender, logger, clientId: 'c', name: names(), settings: TOPICS, service: 'orders' },
    ...{ required: [], consumed: [], startMs: 60_000, isStopping: () => false },
  });
  await expect(prepared).rejects.toBe(error);
  expect(logger.warn).not.toHaveBeenCalled();
});
