import { readFileSync } from 'node:fs';
import type { BrokerAccess, TestBroker } from '@ponte/testing';
import { describeOnRealEngine, sayEngine, startSecuredBroker } from '@ponte/testing';
import type { SASLOptions } from 'kafkajs';
import { openClient } from './client';
import type { KafkaConnection } from './options';

const STARTUP_MS = 240_000;
const TOPIC = 'secured';
const MECHANISMS = ['plain', 'scram-sha-256', 'scram-sha-512'] as const;

// The client as every service opens it, with the configured certificate and user.
describeOnRealEngine('Kafka with TLS and SASL', () => {
  let broker: TestBroker & BrokerAccess;
  beforeAll(async () => {
    broker = await startSecuredBroker();
  }, STARTUP_MS);
  afterAll(async () => {
    sayEngine('Kafka with TLS and SASL', broker.name);
    await broker.stop();
  });

  const messages: string[] = [];
  const record = (fields: object, message: string): void => void messages.push(message + JSON.stringify(fields));
  const sasl = (mechanism: (typeof MECHANISMS)[number], password = broker.password): SASLOptions => ({
    mechanism: mechanism as 'plain',
    username: broker.username,
    password,
  });
  const trusted = () => ({ ca: [readFileSync(broker.certificate, 'utf8')] });
  const client = (connection: Omit<KafkaConnection, 'brokers'>) =>
    openClient({ brokers: broker.brokers, ...connection }, 'secured-test', { warn: record, error: record });

  it.each(MECHANISMS)('%s: what is sent comes back', async (mechanism) => {
    const kafka = client({ ssl: trusted(), sasl: sasl(mechanism) });
    const [admin, producer, consumer] = [
      kafka.admin(),
      kafka.producer({ idempotent: true }),
      kafka.consumer({ groupId: `reads-${mechanism}` }),
    ];
    try {
      await admin.connect();
      await admin.createTopics({
        topics: [{ topic: `${TOPIC}-${mechanism}`, numPartitions: 1 }],
        waitForLeaders: true,
      });
      await producer.connect();
      await producer.send({ topic: `${TOPIC}-${mechanism}`, messages: [{ key: 'k', value: 'well kept' }] });
      await consumer.connect();
      await consumer.subscribe({ topic: `${TOPIC}-${mechanism}`, fromBeginning: true });
      const heard = await new Promise<string | undefined>((done, failed) => {
        consumer.run({ eachMessage: async ({ message }) => done(message.value?.toString()) }).catch(failed);
      });
      expect(heard).toBe('well kept');
    } finally {
      await Promise.all([admin.disconnect(), producer.disconnect(), consumer.disconnect()]);
    }
  });

  it.each([
    ['another password', () => ({ ssl: trusted(), sasl: sasl('scram-sha-512', 'not the password') })],
    ['a certificate that no one vouches for', () => ({ ssl: true, sasl: sasl('plain') })],
    ['no user', () => ({ ssl: trusted() })],
    ['no TLS', () => ({ sasl: sasl('plain') })],
  ])('%s is refused, and the log does not contain the password', async (_, connection) => {
    const admin = client(connection()).admin({ retry: { retries: 1, initialRetryTime: 50 } });
    await expect(admin.connect().then(() => admin.listTopics())).rejects.toThrow();
    await admin.disconnect();
    expect(messages.join('\n')).not.toMatch(new RegExp(`${broker.password}|not the password`));
  });
});
