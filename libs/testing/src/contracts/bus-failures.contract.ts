import { Unavailable } from '@ponte/kernel';
import type { Recorded } from '@ponte/event-sourcing';
import { UnknownEvent } from '@ponte/event-sourcing';
import { eventually } from '../polling';
import { anEvent, eventsOf, freshId } from '../recorded';
import type { BusUnderTest } from './bus-under-test.testing';
import { Ask, context } from './bus-under-test.testing';

export function describeFailures(current: () => BusUnderTest): void {
  describe('failing events', () => {
    const say = (event: Recorded): string => String((event.data as { say: string }).say);

    test('are retried, and later events of their stream wait for them', async () => {
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

    test('are finally parked with the later events of their stream, without stopping other streams; a release handles them in order and resumes the stream', async () => {
      const { bus, parkingLot, service, category, tries, publish } = current();
      const [bad, good] = [`${category}-${freshId()}`, `${category}-${freshId()}`];
      let mended = false;
      let attempts = 0;
      const handled: string[] = [];
      bus.consume({
        group: 'g',
        service,
        consume: async (event) => {
          if (say(event) === 'bad') attempts += 1;
          if (say(event) === 'bad' && !mended) throw new Error('personal words');
          handled.push(say(event));
        },
      });
      await bus.start();
      await publish(bad, eventsOf(freshId(), { say: 'bad' }, { say: 'second' }));
      await publish(good, anEvent({ say: 'other' }));
      await eventually(async () => expect(await parkingLot.list('g')).toHaveLength(2));
      await publish(bad, anEvent({ say: 'third' }));
      await eventually(async () => expect(await parkingLot.list('g')).toHaveLength(3));
      // The other stream may be in another partition, whose messages arrive later.
      await eventually(() => expect([attempts, handled]).toEqual([tries, ['other']]));
      const parked = await parkingLot.list('g');
      expect(parked.map((one) => say(one.event))).toEqual(['bad', 'second', 'third']);
      expect(parked.map((one) => one.key)).toEqual(Array(3).fill(parked[0]?.key));
      expect(JSON.stringify(parked)).not.toContain('personal words');
      expect(await parkingLot.list('another')).toEqual([]);

      await expect(parkingLot.release('g', String(parked[0]?.key))).rejects.toThrow();
      expect(await parkingLot.list('g')).toHaveLength(3);
      mended = true;
      await parkingLot.release('g', String(parked[0]?.key));
      expect(handled).toEqual(['other', 'bad', 'second', 'third']);
      expect(await parkingLot.list()).toEqual([]);
      await publish(bad, anEvent({ say: 'fourth' }));
      await eventually(() => expect(handled.at(-1)).toBe('fourth'));
    });

    test('are never parked while something is unavailable, and do not stop other streams', async () => {
      const { bus, parkingLot, service, category, tries, publish } = current();
      let [attempts, away] = [0, true];
      const handled: string[] = [];
      bus.consume({
        group: 'g',
        service,
        consume: async (event) => {
          if (say(event) === 'needs' && away) {
            attempts += 1;
            throw new Unavailable('chain-unavailable');
          }
          handled.push(say(event));
        },
      });
      await bus.start();
      await publish(`${category}-${freshId()}`, eventsOf(freshId(), { say: 'needs' }, { say: 'next' }));
      await publish(`${category}-${freshId()}`, anEvent({ say: 'other' }));
      await eventually(() => expect([attempts > 10 * tries, handled]).toEqual([true, ['other']]));
      expect(await parkingLot.list('g')).toEqual([]);
      away = false;
      await eventually(() => expect(handled).toEqual(['other', 'needs', 'next']));
      expect(await parkingLot.list('g')).toEqual([]);
    });

    test('are parked when another service has an unexpected error, which waiting does not cure', async () => {
      const { bus, parkingLot, service, category, publish } = current();
      bus.handle(Ask.pattern, async () => {
        throw new Error('a fault');
      });
      bus.consume({ group: 'g', service, consume: async () => void (await bus.request(Ask, { text: '' }, context())) });
      await bus.start();
      await publish(`${category}-${freshId()}`, anEvent());
      await eventually(async () => expect(await parkingLot.list('g')).toHaveLength(1));
    });

    test('are parked at once if their type is unknown', async () => {
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

    test('stay parked after a restart, with later events of their stream', async () => {
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
      const handled: string[] = [];
      next.bus.consume({ group: 'g', service, consume: async (event) => void handled.push(say(event)) });
      await next.bus.start();
      await next.publish(bad, anEvent({ say: 'second' }));
      await next.publish(`${category}-${freshId()}`, anEvent({ say: 'other' }));
      await eventually(() => expect(handled).toEqual(['other']));
      await eventually(async () => expect(await next.parkingLot.list('g')).toHaveLength(2));
      await next.parkingLot.release('g', String((await next.parkingLot.list('g'))[0]?.key));
      expect(handled).toEqual(['other', 'bad', 'second']);
    });

    test('in a hundred streams do not stop the other streams', async () => {
      const { bus, parkingLot, service, category, publish } = current();
      const handled: string[] = [];
      bus.consume({
        group: 'g',
        service,
        consume: async (event) => {
          if (say(event) === 'bad') throw new Error('no');
          handled.push(event.stream);
        },
      });
      await bus.start();
      for (let at = 0; at < 200; at += 1)
        await publish(`${category}-${freshId()}`, anEvent({ say: at % 2 ? 'bad' : 'good' }));
      await eventually(() => expect(handled).toHaveLength(100));
      await eventually(async () => expect(await parkingLot.list('g')).toHaveLength(100));
    });
  });
}
