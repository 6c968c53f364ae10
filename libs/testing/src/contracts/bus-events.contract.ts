import type { Recorded } from '@ponte/event-sourcing';
import { eventually } from '../polling';
import { anEvent, eventsOf, freshId } from '../recorded';
import type { BusUnderTest } from './bus-under-test.testing';

export function describeEvents(current: () => BusUnderTest): void {
  describe('events', () => {
    test('reach every group in the order of their stream, with stream and revision', async () => {
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

    test('of a slow stream do not delay other streams and are handled one at a time', async () => {
      const { bus, service, category, publish } = current();
      const [slow, quick] = [`${category}-${freshId()}`, `${category}-${freshId()}`];
      let release = (): void => undefined;
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      const handled: string[] = [];
      let atOnce = 0;
      bus.consume({
        group: 'g',
        service,
        consume: async ({ stream, revision }) => {
          if (stream === slow) {
            expect((atOnce += 1)).toBe(1);
            await released;
            atOnce -= 1;
          }
          handled.push(`${stream === slow ? 'slow' : 'quick'} ${revision}`);
        },
      });
      await bus.start();
      await publish(slow, eventsOf(freshId(), {}, {}));
      await publish(quick, eventsOf(freshId(), {}, {}));
      await eventually(() => expect(handled).toEqual(['quick 0', 'quick 1']));
      release();
      await eventually(() => expect(handled).toEqual(['quick 0', 'quick 1', 'slow 0', 'slow 1']));
    });

    test('that are being handled are finished by stop; the next bus continues without repeating them', async () => {
      const { service, category } = current();
      const handled: number[] = [];
      let running = 0;
      const consume = async (event: Recorded): Promise<void> => {
        running += 1;
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
        handled.push((event.data as { at: number }).at);
        running -= 1;
      };
      current().bus.consume({ group: 'g', service, consume });
      await current().bus.start();
      for (let at = 0; at < 20; at += 1) await current().publish(`${category}-${freshId()}`, anEvent({ at }));
      await eventually(() => expect(handled.length).toBeGreaterThanOrEqual(10));
      const next = await current().restart('stop');
      expect(running).toBe(0);
      next.bus.consume({ group: 'g', service, consume });
      for (let at = 20; at < 30; at += 1) await next.publish(`${category}-${freshId()}`, anEvent({ at }));
      await next.bus.start();
      await eventually(() => expect(new Set(handled).size).toBe(30));
      expect(handled).toHaveLength(30);
    });

    test('that were not finished when the process died are delivered again (at least once)', async () => {
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
