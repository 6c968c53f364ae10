import { Unavailable } from '@ponte/kernel';
import { anEvent, describeOnRealEngine, eventually, sayEngine } from '@ponte/testing';
import { SERVICE } from './cluster.testing';
import {
  REPLACED_MS,
  PATIENT_MS,
  Ask,
  context,
  stream,
  broker,
  cluster,
  brokerUnderTest,
  consuming,
  answering,
  asking,
  recorder,
  expectWhole,
} from './broker-under-test.testing';

describeOnRealEngine('Kafka, when brokers or connections fail', () => {
  brokerUnderTest();

  describe('a broker that is killed and started again', () => {
    test(
      'loses no events under load, keeps their order, and every request ends with an answer or Unavailable',
      async () => {
        if (!broker.process) return sayEngine('Kafka kill -9', `nothing: ${broker.name} is not this suite's to kill`);
        cluster.relay();
        const { seen, note } = recorder();
        await consuming(async (event) => note(event));
        await answering({ service: SERVICE });
        // Short, because requests are lost with the broker.
        const client = await asking({ limits: { requestMs: 2_000 } });
        const streams = Array.from({ length: 10 }, () => stream());
        let published = 0;
        let busy = true;
        const outcomes = { answered: 0, unavailable: 0 };
        const load = (async () => {
          for (; busy; published += 1) {
            for (const one of streams) await cluster.publish(one, anEvent());
            await client.request(Ask, { n: published }, context()).then(
              () => {
                outcomes.answered += 1;
              },
              (error: unknown) => {
                expect(error).toBeInstanceOf(Unavailable);
                outcomes.unavailable += 1;
              },
            );
          }
        })();
        for (let kill = 0; kill < 2; kill += 1) {
          const before = outcomes.answered;
          await eventually(() => expect(outcomes.answered).toBeGreaterThan(before + 10), REPLACED_MS);
          await broker.process.kill();
          await broker.process.restart();
        }
        const after = outcomes.answered;
        await eventually(() => expect(outcomes.answered).toBeGreaterThan(after + 10), REPLACED_MS);
        busy = false;
        await load;
        await eventually(() => expectWhole(seen, streams, published), REPLACED_MS);
        expect(await cluster.parkedEvents.list()).toEqual([]);
      },
      PATIENT_MS,
    );
  });

  describe('a drain', () => {
    test('finishes the requests in progress, and their replies arrive', async () => {
      const bus = cluster.bus();
      let release = (): void => undefined;
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      let begun = 0;
      bus.handle(Ask.pattern, async (payload) => {
        begun += 1;
        await released;
        return payload;
      });
      await bus.start();
      const client = await asking();
      const answers = [1, 2, 3].map((n) => client.request(Ask, { n }, context()));
      await eventually(() => expect(begun).toBe(3));
      const stopped = bus.stop();
      release();
      expect(await Promise.all(answers)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
      await stopped;
      await expect(bus.request(Ask, { n: 1 }, context())).rejects.toThrow(Unavailable);
    });
  });
});
