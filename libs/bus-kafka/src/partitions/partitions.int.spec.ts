import { Unavailable } from '@ponte/kernel';
import type { TestBroker } from '@ponte/testing';
import { anEvent, describeOnRealEngine, eventually, freshId, startBroker } from '@ponte/testing';
import { command } from '@ponte/event-sourcing';
import { CATEGORY, ClusterUnderTest, SERVICE } from '../cluster.testing';
import { names } from '../names';
import { NotDrained } from './partitions';

const STARTUP_MS = 240_000;

describeOnRealEngine('Kafka: a higher number of partitions', () => {
  let broker: TestBroker;
  let cluster: ClusterUnderTest;
  beforeAll(async () => {
    broker = await startBroker();
  }, STARTUP_MS);
  afterAll(() => broker.stop());
  beforeEach(() => {
    cluster = new ClusterUnderTest(broker);
  });
  afterEach(() => cluster.cleanUp());

  const start = async (partitions: number, consume: () => Promise<void>) => {
    const bus = cluster.bus({ topics: { partitions } });
    bus.handle('contract.query.ask', async () => ({}));
    bus.consume({ group: 'g', service: SERVICE, consume });
    await bus.start();
    return bus;
  };
  const partitionsOf = (topic: string): Promise<number | undefined> =>
    cluster.administer(async (admin) => {
      const { topics } = await admin.fetchTopicMetadata({ topics: [cluster.namespace + topic] });
      return topics[0]?.partitions.length;
    });

  test('is refused while processes run or messages are unfinished, and applied to drained topics', async () => {
    cluster.relay({ topics: { partitions: 2 } });
    let [seen, away] = [0, true];
    const consume = async (): Promise<void> => {
      seen += 1;
      if (away) throw new Unavailable('chain-unavailable');
    };
    const first = await start(2, consume);
    await cluster.publish(`${CATEGORY}-${freshId()}`, anEvent());
    await eventually(() => expect(seen).toBeGreaterThan(0));
    const busy: unknown = await start(4, consume).catch((error: unknown) => error);
    expect(busy).toBeInstanceOf(NotDrained);
    expect((busy as Error).message).toMatch(
      /has 2 partitions but 4 are configured, and 1 processes .* Drain the topic first/,
    );
    await first.stop();
    const left: unknown = await start(4, consume).catch((error: unknown) => error);
    expect((left as Error).message).toMatch(/has 1 unfinished messages of it.* Drain the topic first/);
    away = false;
    const before = seen;
    const again = await start(2, consume);
    await eventually(() => expect(seen).toBeGreaterThan(before));
    await again.stop();
    const raised = await start(4, consume);
    expect([await partitionsOf(`${SERVICE}.events`), await partitionsOf(`${SERVICE}.commands`)]).toEqual([4, 4]);
    // A lower number changes nothing.
    await raised.stop();
    await start(2, consume);
    expect(await partitionsOf(`${SERVICE}.events`)).toBe(4);
    expect(cluster.logged.map(({ message }) => message)).toContain(
      'a topic has more partitions than configured; Kafka cannot remove partitions, so they remain',
    );
  });

  test('is applied although another service made a request while no process could answer it', async () => {
    const Ask = command<object, object>(SERVICE, 'ask', () => 'key');
    const starting = async (service: string, partitions: number) => {
      const bus = cluster.bus({ service, topics: { partitions } });
      if (service === SERVICE) bus.handle(Ask.pattern, async () => ({}));
      await bus.start();
      return bus;
    };
    const asker = await starting('asker', 2);
    const answering = await starting(SERVICE, 2);
    const ask = (waitMs: number) =>
      asker.request(Ask, {}, { commandId: freshId(), correlationId: freshId(), deadline: Date.now() + waitMs });
    await ask(60_000);
    await answering.stop();
    const unanswered = ask(60_000);
    await eventually(async () => {
      const [ends, [committed]] = await cluster.administer((admin) =>
        Promise.all([
          admin.fetchTopicOffsets(`${cluster.namespace}${SERVICE}.commands`),
          admin.fetchOffsets({
            groupId: names(cluster.namespace).commandsGroup(SERVICE),
            topics: [`${cluster.namespace}${SERVICE}.commands`],
          }),
        ]),
      );
      const sum = (all: readonly { offset: string }[] = []) =>
        all.reduce((total, { offset }) => total + Math.max(0, Number(offset)), 0);
      expect(sum(ends) - sum(committed?.partitions)).toBe(1);
    });
    await starting(SERVICE, 4);
    expect([await unanswered, await partitionsOf(`${SERVICE}.commands`)]).toEqual([{}, 4]);
  });
});
