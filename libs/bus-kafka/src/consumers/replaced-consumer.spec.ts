import type { Consumer, EachBatchPayload } from 'kafkajs';
import { Kafka, logLevel } from 'kafkajs';
import { LIMITS } from '../options';
import { AssignedPartitions } from '../partitions/assigned-partitions';
import type { TakenMessage } from '../partitions/taken-message';

const logger = { warn: () => undefined, error: () => undefined };

/** As kafkajs reports it: a consumer has no group before it runs, nor after it failed. */
const notRunning = (): Consumer =>
  new Kafka({ brokers: ['127.0.0.1:1'], logLevel: logLevel.NOTHING }).consumer({ groupId: 'ledger' });

function setUp() {
  const changes: string[] = [];
  const running = {
    pause: () => void changes.push('paused'),
    resume: () => void changes.push('resumed'),
  } as unknown as Consumer;
  let consumer = running;
  const taken: TakenMessage[] = [];
  const partitions = new AssignedPartitions(
    { group: 'ledger', limits: { ...LIMITS, unfinished: 4 }, logger, take: (one) => void taken.push(one) },
    () => consumer,
  );
  partitions.assign({ 'orders.events': [0] });
  const messages = Array.from({ length: 10 }, (_, at) => ({ offset: String(at) }));
  partitions.takeBatch({
    batch: { topic: 'orders.events', partition: 0, highWatermark: '10', messages },
    resolveOffset: () => undefined,
  } as unknown as EachBatchPayload);
  return { partitions, taken, changes, running, replaceBy: (other: Consumer) => (consumer = other) };
}

describe('a paused partition whose consumer is being replaced', () => {
  it('finishes its messages', () => {
    const { partitions, taken, replaceBy } = setUp();
    replaceBy(notRunning());
    for (const one of taken) one.done();
    partitions.review();
    expect(taken).toHaveLength(4);
  });

  it('is resumed when the new consumer is assigned it', () => {
    const { partitions, taken, changes, running, replaceBy } = setUp();
    replaceBy(notRunning());
    for (const one of taken) one.done();
    replaceBy(running);
    partitions.assign({ 'orders.events': [0] });
    expect(changes).toEqual(['paused', 'resumed']);
  });
});
