import { randomUUID } from 'node:crypto';
import { Unavailable } from '@ponte/kernel';
import type { Recorded, RequestContext } from '@ponte/event-sourcing';
import { command } from '@ponte/event-sourcing';
import type { TestBroker } from '@ponte/testing';
import {
  anEvent,
  CutWire,
  describeOnRealEngine,
  eventsOf,
  eventually,
  freshId,
  sayEngine,
  startBroker,
} from '@ponte/testing';
import { CATEGORY, ClusterUnderTest, SERVICE } from './cluster.testing';
import { toEnvelope } from './envelope';
import type { KafkaBus } from './message-bus';
import type { KafkaBusOptions } from './options';

const STARTUP_MS = 240_000;
/** A killed member is replaced after its session, a killed broker after it has started again. */
const REPLACED_MS = 40_000;
const PATIENT_MS = 120_000;

const Ask = command<{ readonly n: number }, { readonly n: number }>(SERVICE, 'ask', ({ n }) => `key-${n}`);
const context = (deadline?: number): RequestContext => ({ commandId: freshId(), correlationId: freshId(), deadline });
const stream = (): string => `${CATEGORY}-${freshId()}`;
const say = ({ data }: Recorded): string => String((data as { say?: string }).say);

describeOnRealEngine('Kafka, when things break', () => {
  let broker: TestBroker;
  let cluster: ClusterUnderTest;
  beforeAll(async () => {
    broker = await startBroker();
  }, STARTUP_MS);
  afterAll(async () => {
    sayEngine('Kafka faults', broker.name);
    await broker.stop();
  });
  beforeEach(() => {
    cluster = new ClusterUnderTest(broker);
  });
  afterEach(() => cluster.cleanUp(), REPLACED_MS);

  const consuming = async (
    consume: (event: Recorded) => Promise<void>,
    options: Partial<KafkaBusOptions> = {},
  ): Promise<KafkaBus> => {
    const bus = cluster.bus(options);
    bus.consume({ group: 'g', service: SERVICE, consume });
    await bus.start();
    return bus;
  };
  const answering = async (options: Partial<KafkaBusOptions> = {}): Promise<KafkaBus> => {
    const bus = cluster.bus(options);
    bus.handle(Ask.pattern, async (payload) => payload);
    await bus.start();
    return bus;
  };
  const asking = async (options: Partial<KafkaBusOptions> = {}): Promise<KafkaBus> => {
    const bus = cluster.bus({ service: 'asker', ...options });
    await bus.start();
    return bus;
  };
  /** What each stream gave, in the order in which it came. */
  const recorder = () => {
    const seen = new Map<string, number[]>();
    return {
      seen,
      note: ({ stream: of, revision }: Recorded): void => {
        seen.set(of, [...(seen.get(of) ?? []), revision]);
      },
    };
  };
  /** Repetitions apart, a stream's events come in order and none is missing. */
  const expectWhole = (
    seen: ReadonlyMap<string, readonly number[]>,
    streams: readonly string[],
    length: number,
  ): void => {
    for (const one of streams) expect([...new Set(seen.get(one))]).toEqual([...Array(length).keys()]);
  };

  describe('a poison message', () => {
    test(
      'parks its key alone and lies in the dead letters with the reason; what is no event lies there too, and the topic goes on',
      async () => {
        cluster.relay();
        const done: string[] = [];
        await consuming(async (event) => {
          if (say(event) === 'bad') throw new TypeError('João da Silva');
          done.push(event.stream);
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
        await eventually(() => expect([...done].sort()).toEqual([...good].sort()));
        await eventually(async () =>
          expect((await cluster.parkedEvents.list('g')).map(({ key }) => key)).toEqual([bad, bad]),
        );

        const letters = await cluster.read(`${SERVICE}.events.dead-letters`);
        await eventually(() => expect(letters).toHaveLength(4), REPLACED_MS);
        const reasons = letters.map(({ headers }) => headers['ponte-reason']);
        expect(reasons).toEqual(
          expect.arrayContaining([
            'NotAnEvent: the value is not JSON',
            'NotAnEvent: there is no value',
            'NotAnEvent: subject is not a text',
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
      'is released in another process than the one that parked it, and the stream flows again in both',
      async () => {
        cluster.relay();
        let mended = false;
        const done: string[] = [];
        const consume = async (event: Recorded): Promise<void> => {
          if (!mended) throw new Error('not yet');
          done.push(say(event));
        };
        const [first, second] = [await consuming(consume), await consuming(consume)];
        const bad = stream();
        await cluster.publish(bad, eventsOf(freshId(), { say: 'one' }, { say: 'two' }));
        await eventually(async () => expect(await cluster.parkedEvents.list('g')).toHaveLength(2));
        mended = true;
        await second.release('g', bad);
        await cluster.publish(bad, anEvent({ say: 'three' }));
        await eventually(() => expect(done).toEqual(['one', 'two', 'three']));
        await first.release('g', bad);
        expect(await cluster.parkedEvents.list()).toEqual([]);
      },
      PATIENT_MS,
    );
  });

  describe('members of a group', () => {
    test(
      'share the partitions; the work of one that is killed goes to the other: nothing is lost, and streams keep their order',
      async () => {
        cluster.relay();
        const shares = new Map<string, readonly number[]>();
        const observer = (who: string) => ({
          assigned: (group: string, of: Readonly<Record<string, readonly number[]>>): void => {
            if (group.endsWith(`.${SERVICE}`)) shares.set(who, Object.values(of).flat());
          },
        });
        const { seen, note } = recorder();
        const wire = new CutWire();
        let dead = false;
        const doomed = consuming(
          async (event) => {
            if (dead) return new Promise(() => undefined);
            note(event);
          },
          { observer: observer('doomed'), connection: { brokers: broker.brokers, socketFactory: wire.socketFactory } },
        );
        await Promise.all([doomed, consuming(async (event) => note(event), { observer: observer('other') })]);
        await eventually(() => expect([...shares.values()].map((share) => share.length)).toEqual([2, 2]), REPLACED_MS);
        expect(new Set([...shares.values()].flat()).size).toBe(4);

        const streams = Array.from({ length: 20 }, () => stream());
        for (let round = 0; round < 10; round += 1) {
          for (const one of streams) await cluster.publish(one, anEvent());
          if (round === 5) {
            await eventually(() => expect(seen.size).toBe(streams.length));
            dead = true;
            wire.break();
          }
        }
        await eventually(() => expectWhole(seen, streams, 10), REPLACED_MS);
        expect([...(shares.get('other') ?? [])].sort()).toEqual([0, 1, 2, 3]);
      },
      PATIENT_MS,
    );

    test(
      'that come back under their name take the place of their forerunner, which died without leaving, long before its session ends',
      async () => {
        const limits = { sessionMs: 60_000, startMs: 30_000 };
        const wire = new CutWire();
        const again = { service: SERVICE, instance: 'one', limits };
        await answering({ ...again, connection: { brokers: broker.brokers, socketFactory: wire.socketFactory } });
        wire.break();
        await answering(again);
        expect(await (await asking()).request(Ask, { n: 1 }, context(Date.now() + limits.startMs))).toEqual({ n: 1 });
      },
      PATIENT_MS,
    );

    test(
      'come while requests are under way: all are answered',
      async () => {
        await answering();
        const client = await asking({ limits: { requestMs: 20_000 } });
        const answers: Promise<unknown>[] = [];
        let n = 0;
        const ask = (): void => {
          answers.push(client.request(Ask, { n: (n += 1) }, context()));
        };
        ask();
        await answers[0];
        const second = answering();
        while (answers.length < 200) {
          ask();
          await new Promise((resolve) => {
            setImmediate(resolve);
          });
        }
        const third = await second;
        for (let at = 0; at < 50; at += 1) ask();
        await third.stop();
        for (let at = 0; at < 50; at += 1) ask();
        expect(await Promise.all(answers)).toEqual(Array.from({ length: n }, (_, at) => ({ n: at + 1 })));
      },
      PATIENT_MS,
    );

    test(
      'that lose their brokers for longer than a session go on by themselves',
      async () => {
        cluster.relay();
        const { seen, note } = recorder();
        const wire = new CutWire();
        await consuming(async (event) => note(event), {
          connection: { brokers: broker.brokers, socketFactory: wire.socketFactory },
        });
        const one = stream();
        await cluster.publish(one, anEvent());
        await eventually(() => expectWhole(seen, [one], 1));
        wire.break();
        await eventually(
          () =>
            expect(
              cluster.logged.filter(({ message }) => message.includes('could not be started')).length,
            ).toBeGreaterThan(1),
          REPLACED_MS,
        );
        await cluster.publish(one, anEvent());
        wire.mend();
        await eventually(() => expectWhole(seen, [one], 2), REPLACED_MS);
      },
      PATIENT_MS,
    );

    test(
      'pause a partition when too much of it is unfinished, and take up the rest later',
      async () => {
        let let_go = (): void => undefined;
        const held = new Promise<void>((resolve) => {
          let_go = resolve;
        });
        let [atWork, unfinished] = [0, 0];
        const done = new Set<string>();
        for (let at = 0; at < 500; at += 1) await cluster.publish(stream(), anEvent());
        cluster.relay({ topics: { partitions: 1 } });
        await eventually(() => expect(cluster.checkpoints.place).toBe('500'));
        await consuming(
          async (event) => {
            atWork += 1;
            await held;
            done.add(event.stream);
          },
          {
            limits: { atOnce: 16, unfinished: 100, fetchWaitMs: 50, commitEveryMs: 5 },
            observer: {
              unfinished: (group, messages) => {
                if (group.endsWith(`.${SERVICE}`)) unfinished = Math.max(unfinished, messages);
              },
            },
          },
        );
        await eventually(() => expect([atWork, unfinished]).toEqual([16, 100]));
        let_go();
        await eventually(() => expect(done.size).toBe(500));
        expect([atWork, unfinished]).toEqual([500, 100]);
      },
      PATIENT_MS,
    );
  });

  describe('a broker that is killed and started again', () => {
    test(
      'under load: nothing is lost, order is kept, and requests are answered or unavailable, never forgotten',
      async () => {
        if (!broker.process) return sayEngine('Kafka kill -9', `nothing: ${broker.name} is not this suite's to kill`);
        cluster.relay();
        const { seen, note } = recorder();
        await consuming(async (event) => note(event));
        await answering({ service: SERVICE });
        const client = await asking();
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

  describe('reply topics', () => {
    test(
      'go with their process, and those of processes that were killed are swept',
      async () => {
        const killed = new CutWire();
        await asking({
          instance: 'killed',
          connection: { brokers: broker.brokers, socketFactory: killed.socketFactory },
        });
        const stays = await asking({ instance: 'stays', limits: { sweepEveryMs: 500 } });
        const goes = await asking({ instance: 'goes' });
        expect((await cluster.topics()).filter((topic) => topic.startsWith('replies.')).sort()).toEqual([
          'replies.asker.goes',
          'replies.asker.killed',
          'replies.asker.stays',
        ]);
        await goes.stop();
        expect(await cluster.topics()).not.toContain('replies.asker.goes');
        killed.break();
        await eventually(
          async () =>
            expect((await cluster.topics()).filter((topic) => topic.startsWith('replies.'))).toEqual([
              'replies.asker.stays',
            ]),
          REPLACED_MS,
        );
        await answering();
        expect(await stays.request(Ask, { n: 1 }, context())).toEqual({ n: 1 });
      },
      PATIENT_MS,
    );
  });

  describe('an asker that went', () => {
    test(
      'takes its reply topic along, and everybody else is answered as before: also who asks for the first time',
      async () => {
        await answering();
        const goes = await asking({ instance: 'goes' });
        const stays = await asking({ instance: 'stays' });
        for (const client of [goes, stays]) expect(await client.request(Ask, { n: 1 }, context())).toEqual({ n: 1 });
        await goes.stop();
        expect(await stays.request(Ask, { n: 2 }, context())).toEqual({ n: 2 });
        const comes = await asking({ instance: 'comes' });
        expect(await comes.request(Ask, { n: 3 }, context())).toEqual({ n: 3 });
        expect(await stays.request(Ask, { n: 4 }, context())).toEqual({ n: 4 });
      },
      PATIENT_MS,
    );
  });

  describe('a drain', () => {
    test('finishes the requests at hand, and their replies arrive', async () => {
      const bus = cluster.bus();
      let let_go = (): void => undefined;
      const held = new Promise<void>((resolve) => {
        let_go = resolve;
      });
      let begun = 0;
      bus.handle(Ask.pattern, async (payload) => {
        begun += 1;
        await held;
        return payload;
      });
      await bus.start();
      const client = await asking();
      const answers = [1, 2, 3].map((n) => client.request(Ask, { n }, context()));
      await eventually(() => expect(begun).toBe(3));
      const stopped = bus.stop();
      let_go();
      expect(await Promise.all(answers)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
      await stopped;
      await expect(bus.request(Ask, { n: 1 }, context())).rejects.toThrow(Unavailable);
    });
  });

  describe('the relay', () => {
    test(
      'that died between an append and the publishing, or before its checkpoint, publishes again; consumers see each event once',
      async () => {
        const { seen, note } = recorder();
        let duplicates = 0;
        await consuming(async (event) => note(event), {
          observer: {
            duplicate: () => {
              duplicates += 1;
            },
          },
        });
        const streams = Array.from({ length: 5 }, () => stream());
        const round = async (): Promise<void> => {
          for (const one of streams) await cluster.publish(one, anEvent());
        };
        await round();
        const first = cluster.relay();
        await eventually(() => expectWhole(seen, streams, 1));
        await first.stop();
        await round();
        // As if it had died before it could keep its place: everything is published once more.
        cluster.checkpoints.place = undefined;
        cluster.relay();
        await eventually(() => expectWhole(seen, streams, 2));
        await eventually(() => expect(duplicates).toBe(5));
        expect([...seen.values()].flat()).toHaveLength(10);
        const events = await cluster.read(`${SERVICE}.events`);
        await eventually(() => expect(events).toHaveLength(15));
        expect(JSON.parse(events[0]?.value ?? '')).toMatchObject({
          specversion: '1.0',
          source: `/ponte/${SERVICE}`,
          subject: events[0]?.key,
          revision: 0,
        });
      },
      PATIENT_MS,
    );

    test(
      'tells others of some events on a topic of its own, under a key of its own, in the same order and at least once',
      async () => {
        const one = stream();
        await cluster.publish(one, eventsOf(freshId(), { say: 'for all' }, { say: 'for us' }, { say: 'for all too' }));
        const notices = {
          topic: 'some.notices',
          of: (event: Recorded) =>
            say(event).startsWith('for all') ? { key: 'the-key', event: { id: event.id, said: say(event) } } : null,
        };
        await cluster.relay({ notices }).caughtUp;
        const reported = await cluster.read('some.notices');
        await eventually(() =>
          expect(reported.map(({ key, value }) => [key, (JSON.parse(value) as { said: string }).said])).toEqual([
            ['the-key', 'for all'],
            ['the-key', 'for all too'],
          ]),
        );
        const events = await cluster.read(`${SERVICE}.events`);
        await eventually(() => expect(events).toHaveLength(3));
      },
      PATIENT_MS,
    );

    test(
      'events that never came park their stream; published after all, they are released in their place',
      async () => {
        const done: number[] = [];
        const bus = await consuming(async ({ revision }) => void done.push(revision));
        const one = stream();
        await cluster.publish(one, eventsOf(freshId(), {}, {}, {}, {}));
        const events = await cluster.store.read(one);
        const producer = cluster.client.producer();
        await producer.connect();
        const send = (...revisions: number[]) =>
          producer.send({
            topic: `${cluster.namespace}${SERVICE}.events`,
            messages: revisions.map((revision) => ({
              key: one,
              value: toEnvelope(SERVICE, events[revision] as Recorded),
            })),
          });
        await send(0, 2);
        await eventually(async () =>
          expect((await bus.list('g')).map(({ reason }) => reason)).toEqual([
            'events of its stream that come before it are missing',
          ]),
        );
        await send(0, 1, 2, 3);
        await eventually(async () =>
          expect((await bus.list('g')).map(({ event }) => event.revision)).toEqual([1, 2, 3]),
        );
        await bus.release('g', one);
        expect(done).toEqual([0, 1, 2, 3]);
        await producer.disconnect();
      },
      PATIENT_MS,
    );
  });

  test('a request past its deadline is not carried out by any process; a malformed request is dropped', async () => {
    const producer = cluster.client.producer();
    const client = await asking({ limits: { requestMs: 200 } });
    await expect(client.request(Ask, { n: 1 }, context())).rejects.toThrow(Unavailable);
    let executed = 0;
    const bus = cluster.bus();
    bus.handle(Ask.pattern, async (payload) => {
      executed += 1;
      return payload;
    });
    await bus.start();
    await producer.connect();
    const headers = {
      'ponte-pattern': Ask.pattern,
      'ponte-request': randomUUID(),
      'ponte-deadline': String(Date.now() + 10_000),
      'ponte-reply-to': `${SERVICE}.events`,
    };
    const value = JSON.stringify({ payload: { n: 9 }, context: { commandId: 'c', correlationId: 'c' } });
    await producer.send({
      topic: `${cluster.namespace}${SERVICE}.commands`,
      messages: [{ value: 'no request' }, { value, headers }],
    });
    await producer.disconnect();
    const patient = await asking();
    expect(await patient.request(Ask, { n: 2 }, context())).toEqual({ n: 2 });
    await eventually(() =>
      expect(cluster.logged.filter(({ message }) => message.includes('is not a request'))).toHaveLength(2),
    );
    expect(executed).toBe(1);
  });

  test('an answer of this very process is a call, unless it is asked over the wire', async () => {
    const bus = await answering({ callOwn: true });
    expect(await bus.request(Ask, { n: 1 }, context())).toEqual({ n: 1 });
    await expect(bus.request(Ask, { n: 1 }, context(Date.now() - 1))).rejects.toThrow(Unavailable);
    expect(
      await cluster.administer((admin) => admin.fetchTopicOffsets(`${cluster.namespace}${SERVICE}.commands`)),
    ).toEqual(Array.from({ length: 4 }, () => expect.objectContaining({ high: '0' })));
  });
});
