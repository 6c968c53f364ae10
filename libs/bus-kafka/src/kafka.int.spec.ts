import type { TestBroker } from '@ponte/testing';
import { describeMessageBus, describeOnRealEngine, sayEngine, startBroker } from '@ponte/testing';
import { busUnderTest } from './cluster.testing';

const STARTUP_MS = 240_000;

describeOnRealEngine('Kafka', () => {
  let broker: TestBroker;
  beforeAll(async () => {
    broker = await startBroker();
  }, STARTUP_MS);
  afterAll(async () => {
    sayEngine('Kafka MessageBus', broker.name);
    await broker.stop();
  });

  describeMessageBus('Kafka bus', () => busUnderTest(broker));
});
