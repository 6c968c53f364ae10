import type { Recorded } from '@ponte/event-sourcing';
import { anEvent, describeOnRealEngine, eventsOf, eventually, freshId } from '@ponte/testing';
import { SERVICE } from './cluster.testing';
import {
  REPLACED_MS,
  PATIENT_MS,
  stream,
  say,
  cluster,
  brokerUnderTest,
  consuming,
  send,
} from './broker-under-test.testing';

describeOnRealEngine('Kafka, with messages that cannot be handled', () => {
  brokerUnderTest();

  describe('a message that cannot be processed', () => {
    test(
      'parks only its key and is copied to the dead letters with the reason; so is a message that is not an event, and reading continues',
      async () => {
        cluster.relay();
        const handled: string[] = [];
        await consuming(async (event) => {
          if (say(event) === 'bad') throw new TypeError('João da Silva');
          handled.push(event.stream);
        });
        const bad = stream();
        const producer = cluster.client.producer();
        await producer.connect();
        await producer.send({
          topic: `${cluster.namespace}${SERVICE}.events`,
          messages: [
            { key: 'x', value: 'no JSON' },
            { key: 'y', value: null },
            { key: 'z', value: '{"specversion":"1.0"}' },
          ],
        });
        await producer.disconnect();
        await cluster.publish(bad, eventsOf(freshId(), { say: 'bad' }, { say: 'second' }));
        const good = Array.from({ length: 30 }, () => stream());
        for (const one of good) await cluster.publish(one, anEvent({ say: 'good' }));
        await eventually(() => expect([...handled].sort()).toEqual([...good].sort()));
        await eventually(async () =>
          expect((await cluster.parkedEvents.list('g')).map(({ key }) => key)).toEqual([bad, bad]),
        );

        const letters = await cluster.read(`${SERVICE}.events.dead-letters`);
        await eventually(() => expect(letters).toHaveLength(4), REPLACED_MS);
        const reasons = letters.map(({ headers }) => headers['ponte-reason']);
        expect(reasons).toEqual(
          expect.arrayContaining([
            'NotAnEvent: the value is not JSON',
            'NotAnEvent: the message has no value',
            'NotAnEvent: subject must be a string',
          ]),
        );
        const poison = letters.find(({ key }) => key === bad);
        expect(poison?.headers).toMatchObject({
          'ponte-group': 'g',
          'ponte-topic': `${cluster.namespace}${SERVICE}.events`,
          'ponte-reason': expect.stringMatching(/^TypeError: at /),
        });
        expect(JSON.stringify([letters, cluster.logged])).not.toContain('João');
      },
      PATIENT_MS,
    );

    test(
      'delays no other stream: with one in a hundred that fails or is not an event, all others are handled while those still wait for their next attempt',
      async () => {
        cluster.relay();
        const handled = new Set<string>();
        const bus = await consuming(
          async (event) => {
            if (say(event) === 'bad') throw new TypeError('poison');
            handled.add(`${event.stream} ${event.revision}`);
          },
          { retries: { failed: [PATIENT_MS], unexpected: [PATIENT_MS], unavailable: [PATIENT_MS] } },
        );
        const streams = Array.from({ length: 500 }, () => stream());
        const bad = streams.filter((_, at) => at % 100 === 0);
        const producer = cluster.client.producer();
        await producer.connect();
        for (const one of streams) {
          const words = bad.includes(one) ? ['bad', 'behind it'] : ['good', 'good too'];
          await cluster.publish(one, eventsOf(freshId(), ...words.map((word) => ({ say: word }))));
        }
        const garbage = Array.from({ length: 10 }, (_, at) => ({ key: `garbage ${at}`, value: 'no JSON' }));
        await producer.send({ topic: `${cluster.namespace}${SERVICE}.events`, messages: garbage });
        await producer.disconnect();
        await eventually(() => expect(handled.size).toBe(2 * (streams.length - bad.length)), REPLACED_MS);
        expect([...handled].filter((one) => bad.some((name) => one.startsWith(`${name} `)))).toEqual([]);
        expect(await bus.list()).toEqual([]);
      },
      PATIENT_MS,
    );

    test(
      'can be released in a process other than the one that parked it, and its stream continues in both',
      async () => {
        cluster.relay();
        let mended = false;
        const handled: string[] = [];
        const consume = async (event: Recorded): Promise<void> => {
          if (!mended) throw new Error('not yet');
          handled.push(say(event));
        };
        const [first, second] = [await consuming(consume), await consuming(consume)];
        const bad = stream();
        await cluster.publish(bad, eventsOf(freshId(), { say: 'one' }, { say: 'two' }));
        await eventually(async () => expect(await cluster.parkedEvents.list('g')).toHaveLength(2));
        mended = true;
        await second.release('g', bad);
        await cluster.publish(bad, anEvent({ say: 'three' }));
        await eventually(() => expect(handled).toEqual(['one', 'two', 'three']));
        await first.release('g', bad);
        expect(await cluster.parkedEvents.list()).toEqual([]);
      },
      PATIENT_MS,
    );

    test(
      'is not handled again after an operator discarded it, even when it is published again and after a restart',
      async () => {
        let isMended = false;
        const handled: string[] = [];
        const consume = async (event: Recorded): Promise<void> => {
          if (say(event) === 'bad' && !isMended) throw new Error('no');
          handled.push(say(event));
        };
        const first = await consuming(consume);
        const one = stream();
        await cluster.publish(one, eventsOf(freshId(), { say: 'bad' }, { say: 'next' }));
        const events = await cluster.store.read(one);
        await send(events);
        await eventually(async () => expect(await cluster.parkedEvents.list('g')).toHaveLength(2));
        const [bad] = await cluster.parkedEvents.list('g');
        const discard = { actor: 'ana', why: 'done by hand', discardedAt: '2026-01-01T00:00:00.000Z' };
        await cluster.parkedEvents.discard('g', String(bad?.event.id), discard);
        isMended = true;
        await first.release('g', one);
        expect(handled).toEqual(['next']);
        await first.stop();
        await consuming(consume);
        await cluster.publish(one, anEvent({ say: 'last' }));
        await send([...events, ...(await cluster.store.read(one, { from: 2 }))]);
        await eventually(() => expect(handled.at(-1)).toBe('last'), REPLACED_MS);
        expect(handled).not.toContain('bad');
        expect(await cluster.parkedEvents.list()).toEqual([]);
      },
      PATIENT_MS,
    );
  });
});
