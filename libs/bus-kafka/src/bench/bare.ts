import { Kafka, logLevel, Partitioners } from 'kafkajs';

/** Request and reply with kafkajs as its documentation shows it: the baseline that the bus is compared with. */
const clientOf = (brokers: readonly string[]): Kafka =>
  new Kafka({ brokers: [...brokers], logLevel: logLevel.NOTHING });

export const bareTopics = (run: string): string[] => [`${run}bare.requests`, `${run}bare.replies`];

export async function serveBare(brokers: readonly string[], run: string): Promise<() => Promise<void>> {
  const [requests, replies] = bareTopics(run) as [string, string];
  const { producer, consumer } = await open(brokers, `${run}bare.server`, requests);
  await consumer.run({
    eachMessage: async ({ message }) => {
      const value = JSON.stringify({ reply: (JSON.parse(String(message.value)) as { payload: unknown }).payload });
      await producer.send({ topic: replies, messages: [{ value, headers: message.headers }] });
    },
  });
  return () => close(producer, consumer);
}

export async function askBare(brokers: readonly string[], run: string) {
  const [requests, replies] = bareTopics(run) as [string, string];
  const { producer, consumer } = await open(brokers, `${run}bare.client`, replies);
  const waiting = new Map<string, () => void>();
  await consumer.run({
    eachMessage: async ({ message }) => {
      waiting.get(String(message.headers?.['id']))?.();
    },
  });
  let requestCount = 0;
  return {
    ask: async (payload: unknown): Promise<void> => {
      const id = String((requestCount += 1));
      const answered = new Promise<void>((resolve) => {
        waiting.set(id, resolve);
      });
      await producer.send({ topic: requests, messages: [{ value: JSON.stringify({ payload }), headers: { id } }] });
      await answered;
      waiting.delete(id);
    },
    close: () => close(producer, consumer),
  };
}

async function open(brokers: readonly string[], groupId: string, topic: string) {
  const client = clientOf(brokers);
  const producer = client.producer({ createPartitioner: Partitioners.DefaultPartitioner });
  const consumer = client.consumer({ groupId });
  await producer.connect();
  await consumer.connect();
  await consumer.subscribe({ topics: [topic], fromBeginning: true });
  return { producer, consumer };
}

async function close(
  producer: Awaited<ReturnType<typeof open>>['producer'],
  consumer: Awaited<ReturnType<typeof open>>['consumer'],
): Promise<void> {
  await consumer.disconnect();
  await producer.disconnect();
}
