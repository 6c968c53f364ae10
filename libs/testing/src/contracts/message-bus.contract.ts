import { refusal, Unavailable } from '@ponte/kernel';
import type { EventToAppend, MessageBus, ParkingLot, Recorded, RequestContext } from '@ponte/event-sourcing';
import { command, UnknownEvent } from '@ponte/event-sourcing';
import { eventually } from '../polling';
import { anEvent, eventsOf, freshId } from '../recorded';

/** A bus whose retries take milliseconds, and what feeds it. */
export interface BusUnderTest {
  readonly bus: MessageBus;
  readonly parkingLot: ParkingLot;
  /** A service, and a category of streams that it publishes. */
  readonly service: string;
  readonly category: string;
  /** How many times a failing event is handed over before it is parked. */
  readonly tries: number;
  /** Milliseconds within which a request surely reaches its handler, however busy the machine; 100 when absent. */
  readonly travelMs?: number;
  /** The system's clock of the bus. */
  now(): number;
  /** Makes events happen on a stream of the service, after those that it has. */
  publish(stream: string, events: readonly EventToAppend[]): Promise<void>;
  /** Another bus over what this one kept. The one before is stopped, or merely left behind as by a crash. */
  restart(how: 'stop' | 'crash'): Promise<BusUnderTest>;
  /** Stops every bus and removes everything. */
  cleanUp(): Promise<void>;
}

const Ask = command<{ readonly text: string }, { readonly answer: string }>('contract', 'ask', () => undefined);
const context = (deadline?: number): RequestContext => ({ commandId: freshId(), correlationId: freshId(), deadline });

/** Every rule of the `MessageBus` and `ParkingLot` ports. */
export function describeMessageBus(name: string, open: () => Promise<BusUnderTest>): void {
  describe(`${name} as a MessageBus`, () => {
    let under: BusUnderTest;
    beforeEach(async () => {
      under = await open();
    });
    afterEach(() => under.cleanUp());
    describeRequests(() => under);
    describeEvents(() => under);
    describeFailures(() => under);
  });
}

function describeRequests(current: () => BusUnderTest): void {
  describe('requests', () => {
    test('get the reply, and the handler gets payload and context', async () => {
      const { bus } = current();
      const seen: unknown[] = [];
      bus.handle(Ask.pattern, async (payload, given) => {
        seen.push(payload, given.commandId);
        return { answer: 'yes' };
      });
      await bus.start();
      const given = context();
      expect(await bus.request(Ask, { text: 'well?' }, given)).toEqual({ answer: 'yes' });
      expect(seen).toEqual([{ text: 'well?' }, given.commandId]);
    });

    test('a refusal and an unavailability arrive as they were thrown, with every fault', async () => {
      const { bus } = current();
      const thrown: Error[] = [
        refusal('insufficient-balance', 'too little', 'source-amount', { 'order-id': 'x' }),
        new Unavailable('chain-unavailable', 'later', 7),
      ];
      bus.handle(Ask.pattern, async () => {
        throw thrown[0] as Error;
      });
      await bus.start();
      await expect(bus.request(Ask, { text: '' }, context())).rejects.toMatchObject({
        name: 'Refusal',
        violations: [{ code: 'insufficient-balance', path: 'source-amount', message: 'too little', 'order-id': 'x' }],
      });
      thrown.shift();
      await expect(bus.request(Ask, { text: '' }, context())).rejects.toMatchObject({
        name: 'Unavailable',
        code: 'chain-unavailable',
        retryAfterSeconds: 7,
      });
    });

    test('an unexpected error of a service reaches the caller only as unavailable', async () => {
      const { bus } = current();
      bus.handle(Ask.pattern, async () => {
        throw new TypeError('secret details');
      });
      await bus.start();
      const failure = await bus.request(Ask, { text: '' }, context()).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(Unavailable);
      expect(String((failure as Error).message)).not.toContain('secret');
    });

    test('a request that no one answers is unavailable', async () => {
      await current().bus.start();
      await expect(current().bus.request(Ask, { text: '' }, context())).rejects.toThrow(Unavailable);
    });

    test('past its deadline a request is dropped unexecuted; a reply that comes later is not waited for', async () => {
      const { bus, now, travelMs = 100 } = current();
      let executed = 0;
      let let_go = (): void => undefined;
      const held = new Promise<void>((resolve) => {
        let_go = resolve;
      });
      bus.handle(Ask.pattern, async () => {
        executed += 1;
        await held;
        return { answer: 'late' };
      });
      await bus.start();
      await expect(bus.request(Ask, { text: '' }, context(now() - 1))).rejects.toThrow(Unavailable);
      expect(executed).toBe(0);
      await expect(bus.request(Ask, { text: '' }, context(now() + travelMs))).rejects.toThrow(Unavailable);
      expect(executed).toBe(1);
      let_go();
    });
  });
}

function describeEvents(current: () => BusUnderTest): void {
  describe('events', () => {
    test('reach every group, in order per stream, with their place', async () => {
      const { bus, service, category, publish } = current();
      const seen: Record<string, Recorded[]> = { a: [], b: [] };
      for (const group of ['a', 'b'])
        bus.consume({ group, service, consume: async (event) => void seen[group]?.push(event) });
      await bus.start();
      const streams = Array.from({ length: 5 }, () => `${category}-${freshId()}`);
      for (let at = 0; at < 50; at += 1) await publish(streams[at % 5] as string, anEvent({ at }));
      await eventually(() => expect([seen['a']?.length, seen['b']?.length]).toEqual([50, 50]));
      for (const stream of streams) {
        expect(seen['a']?.filter((event) => event.stream === stream).map((event) => event.revision)).toEqual([
          ...Array(10).keys(),
        ]);
      }
      expect(seen['a']?.[0]).toMatchObject({ type: 'SomethingHappened', version: 1, meta: { index: 0, count: 1 } });
    });

    test('a slow stream does not hold up the others, and is itself never handled twice at once', async () => {
      const { bus, service, category, publish } = current();
      const [slow, quick] = [`${category}-${freshId()}`, `${category}-${freshId()}`];
      let let_go = (): void => undefined;
      const held = new Promise<void>((resolve) => {
        let_go = resolve;
      });
      const done: string[] = [];
      let atOnce = 0;
      bus.consume({
        group: 'g',
        service,
        consume: async ({ stream, revision }) => {
          if (stream === slow) {
            expect((atOnce += 1)).toBe(1);
            await held;
            atOnce -= 1;
          }
          done.push(`${stream === slow ? 'slow' : 'quick'} ${revision}`);
        },
      });
      await bus.start();
      await publish(slow, eventsOf(freshId(), {}, {}));
      await publish(quick, eventsOf(freshId(), {}, {}));
      await eventually(() => expect(done).toEqual(['quick 0', 'quick 1']));
      let_go();
      await eventually(() => expect(done).toEqual(['quick 0', 'quick 1', 'slow 0', 'slow 1']));
    });

    test('stop lets what runs finish; the next bus goes on where it ended, without repeating what was done', async () => {
      const { service, category } = current();
      const done: number[] = [];
      let running = 0;
      const consume = async (event: Recorded): Promise<void> => {
        running += 1;
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
        done.push((event.data as { at: number }).at);
        running -= 1;
      };
      current().bus.consume({ group: 'g', service, consume });
      await current().bus.start();
      for (let at = 0; at < 20; at += 1) await current().publish(`${category}-${freshId()}`, anEvent({ at }));
      await eventually(() => expect(done.length).toBeGreaterThanOrEqual(10));
      const next = await current().restart('stop');
      expect(running).toBe(0);
      next.bus.consume({ group: 'g', service, consume });
      for (let at = 20; at < 30; at += 1) await next.publish(`${category}-${freshId()}`, anEvent({ at }));
      await next.bus.start();
      await eventually(() => expect(new Set(done).size).toBe(30));
      expect(done).toHaveLength(30);
    });

    test('at least once: what was not finished when the process died comes again', async () => {
      const { service, category } = current();
      const stuck = `${category}-${freshId()}`;
      const before: number[] = [];
      current().bus.consume({
        group: 'g',
        service,
        consume: async (event) => {
          if (event.stream === stuck) await new Promise(() => undefined);
          before.push((event.data as { at: number }).at);
        },
      });
      await current().bus.start();
      await current().publish(stuck, anEvent({ at: 0 }));
      for (let at = 1; at < 10; at += 1) await current().publish(`${category}-${freshId()}`, anEvent({ at }));
      await eventually(() => expect(before).toHaveLength(9));
      const next = await current().restart('crash');
      const after = new Set<number>();
      next.bus.consume({
        group: 'g',
        service,
        consume: async (event) => void after.add((event.data as { at: number }).at),
      });
      await next.bus.start();
      await eventually(() => expect(new Set([...before, ...after]).size).toBe(10));
      expect(after.has(0)).toBe(true);
    });
  });
}

function describeFailures(current: () => BusUnderTest): void {
  describe('failing events', () => {
    const say = (event: Recorded): string => String((event.data as { say: string }).say);

    test('are tried again, and later events of their stream wait for them', async () => {
      const { bus, service, category, tries, publish } = current();
      const seen: string[] = [];
      bus.consume({
        group: 'g',
        service,
        consume: async (event) => {
          seen.push(say(event));
          if (say(event) === 'bad' && seen.filter((one) => one === 'bad').length < tries) throw new Error('not yet');
        },
      });
      await bus.start();
      await publish(`${category}-${freshId()}`, eventsOf(freshId(), { say: 'bad' }, { say: 'next' }));
      await eventually(() => expect(seen).toEqual([...Array<string>(tries).fill('bad'), 'next']));
    });

    test('that never pass are parked with their stream; other streams flow; released, they come in order and the stream flows again', async () => {
      const { bus, parkingLot, service, category, tries, publish } = current();
      const [bad, good] = [`${category}-${freshId()}`, `${category}-${freshId()}`];
      let mended = false;
      let attempts = 0;
      const done: string[] = [];
      bus.consume({
        group: 'g',
        service,
        consume: async (event) => {
          if (say(event) === 'bad') attempts += 1;
          if (say(event) === 'bad' && !mended) throw new Error('personal words');
          done.push(say(event));
        },
      });
      await bus.start();
      await publish(bad, eventsOf(freshId(), { say: 'bad' }, { say: 'second' }));
      await publish(good, anEvent({ say: 'other' }));
      await eventually(async () => expect(await parkingLot.list('g')).toHaveLength(2));
      await publish(bad, anEvent({ say: 'third' }));
      await eventually(async () => expect(await parkingLot.list('g')).toHaveLength(3));
      expect([attempts, done]).toEqual([tries, ['other']]);
      const parked = await parkingLot.list('g');
      expect(parked.map((one) => say(one.event))).toEqual(['bad', 'second', 'third']);
      expect(parked.map((one) => one.key)).toEqual(Array(3).fill(parked[0]?.key));
      expect(JSON.stringify(parked)).not.toContain('personal words');
      expect(await parkingLot.list('another')).toEqual([]);

      await expect(parkingLot.release('g', String(parked[0]?.key))).rejects.toThrow();
      expect(await parkingLot.list('g')).toHaveLength(3);
      mended = true;
      await parkingLot.release('g', String(parked[0]?.key));
      expect(done).toEqual(['other', 'bad', 'second', 'third']);
      expect(await parkingLot.list()).toEqual([]);
      await publish(bad, anEvent({ say: 'fourth' }));
      await eventually(() => expect(done.at(-1)).toBe('fourth'));
    });

    test('that need something unavailable are never parked, however long that lasts; other streams flow', async () => {
      const { bus, parkingLot, service, category, tries, publish } = current();
      let [attempts, away] = [0, true];
      const done: string[] = [];
      bus.consume({
        group: 'g',
        service,
        consume: async (event) => {
          if (say(event) === 'needs' && away) {
            attempts += 1;
            throw new Unavailable('chain-unavailable');
          }
          done.push(say(event));
        },
      });
      await bus.start();
      await publish(`${category}-${freshId()}`, eventsOf(freshId(), { say: 'needs' }, { say: 'next' }));
      await publish(`${category}-${freshId()}`, anEvent({ say: 'other' }));
      await eventually(() => expect(attempts).toBeGreaterThan(10 * tries));
      expect([done, await parkingLot.list('g')]).toEqual([['other'], []]);
      away = false;
      await eventually(() => expect(done).toEqual(['other', 'needs', 'next']));
      expect(await parkingLot.list('g')).toEqual([]);
    });

    test('that a violation of another service stops are parked: no waiting mends it', async () => {
      const { bus, parkingLot, service, category, publish } = current();
      bus.handle(Ask.pattern, async () => {
        throw new Error('a fault');
      });
      bus.consume({ group: 'g', service, consume: async () => void (await bus.request(Ask, { text: '' }, context())) });
      await bus.start();
      await publish(`${category}-${freshId()}`, anEvent());
      await eventually(async () => expect(await parkingLot.list('g')).toHaveLength(1));
    });

    test('of an unknown type are parked at once', async () => {
      const { bus, parkingLot, service, category, publish } = current();
      let attempts = 0;
      bus.consume({
        group: 'g',
        service,
        consume: async (event) => {
          attempts += 1;
          throw new UnknownEvent(event.type, event.version);
        },
      });
      await bus.start();
      await publish(`${category}-${freshId()}`, anEvent());
      await eventually(async () => expect(await parkingLot.list('g')).toHaveLength(1));
      expect(attempts).toBe(1);
    });

    test('stay parked over a restart, with what comes after them', async () => {
      const { service, category } = current();
      const bad = `${category}-${freshId()}`;
      current().bus.consume({
        group: 'g',
        service,
        consume: async () => {
          throw new Error('no');
        },
      });
      await current().bus.start();
      await current().publish(bad, anEvent({ say: 'bad' }));
      await eventually(async () => expect(await current().parkingLot.list('g')).toHaveLength(1));
      const next = await current().restart('crash');
      const done: string[] = [];
      next.bus.consume({ group: 'g', service, consume: async (event) => void done.push(say(event)) });
      await next.bus.start();
      await next.publish(bad, anEvent({ say: 'second' }));
      await next.publish(`${category}-${freshId()}`, anEvent({ say: 'other' }));
      await eventually(() => expect(done).toEqual(['other']));
      await eventually(async () => expect(await next.parkingLot.list('g')).toHaveLength(2));
      await next.parkingLot.release('g', String((await next.parkingLot.list('g'))[0]?.key));
      expect(done).toEqual(['other', 'bad', 'second']);
    });

    test('a hundred poisoned streams do not stop the healthy ones', async () => {
      const { bus, parkingLot, service, category, publish } = current();
      const done: string[] = [];
      bus.consume({
        group: 'g',
        service,
        consume: async (event) => {
          if (say(event) === 'bad') throw new Error('no');
          done.push(event.stream);
        },
      });
      await bus.start();
      for (let at = 0; at < 200; at += 1)
        await publish(`${category}-${freshId()}`, anEvent({ say: at % 2 ? 'bad' : 'good' }));
      await eventually(() => expect(done).toHaveLength(100));
      await eventually(async () => expect(await parkingLot.list('g')).toHaveLength(100));
    });
  });
}
