import type { EventStore } from '@ponte/event-sourcing';
import { Aggregates } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import type { Engines } from '@ponte/nest';
import { openDeliveryEngines } from '../testing/delivery-engines';
import type { DeliveryCommand, DeliveryTerms } from '../deliveries/delivery.state';
import { Deliveries } from '../dispatch/deliveries.service';
import { scheduled } from '../testing/delivery-events';
import { otherwise } from '../testing/shared-engines';
import { JournaledStore } from './journaled-store.service';

const NOW = Date.parse('2026-06-02T12:00:00.000Z');
let made = 0;

describe('the deliveries of two processes, one of which has lost the lease and does not know it', () => {
  let opened: Awaited<ReturnType<typeof openDeliveryEngines>>;
  let engines: Engines;
  let id: string;
  beforeAll(async () => {
    opened = await openDeliveryEngines();
    engines = opened.engines;
  });
  beforeEach(() => {
    id = derivedId('delivery', 'of two', String((made += 1)));
  });
  afterAll(() => opened.close());

  function aProcess(changed: Partial<EventStore> = {}): Deliveries {
    const store = otherwise(engines.store, { soleWriter: false, ...changed });
    const aggregates = new Aggregates({ store, systemNow: () => NOW, pause: async () => undefined });
    return new Deliveries(aggregates, new JournaledStore(store, engines.readModels), { now: () => NOW });
  }
  const origin = { correlationId: 'request-1', actor: 'test' };
  const terms = (): DeliveryTerms => {
    const { dueAt: _, ...rest } = scheduled(id).data;
    return { ...rest, envelope: { eventId: derivedId('event', id) } as never };
  };
  /** Records a first attempt that was made before the delivery was recorded, and that succeeded. */
  const first = (process: Deliveries) =>
    process.create(id, 'first', origin, (now) => ({
      kind: 'record-first',
      terms: terms(),
      first: { succeeded: true, httpStatus: 200, sourcePosition: '1' },
      begunAt: now,
      now,
    }));
  const step = (process: Deliveries, name: string, command: (now: string) => DeliveryCommand) =>
    process.handle(id, name, origin, command);
  const statusIn = async (process: Deliveries) => (await process.load(id)).delivery.status;

  it.each(['before', 'after'])(
    'agree on a success that the former holder records %s its successor has finished the same delivery',
    async (when) => {
      const [former, successor] = [aProcess(), aProcess()];
      await successor.create(id, 'schedule', origin, (now) => ({ kind: 'schedule', terms: terms(), now }));
      await step(successor, '1-start', (now) => ({ kind: 'start', now }));
      if (when === 'before') await first(former);
      await step(successor, '1-end', (now) => ({ kind: 'succeed', attempt: 1, httpStatus: 200, now }));
      if (when === 'after') await first(former);
      expect([await statusIn(former), await statusIn(successor)]).toEqual(['succeeded', 'succeeded']);
      expect(await statusIn(aProcess())).toBe('succeeded');
    },
  );

  it('agree on a success that the successor records while the former holder schedules the same delivery', async () => {
    const gate = { reached: () => undefined as void, release: () => undefined as void };
    const reached = new Promise<void>((resolve) => (gate.reached = resolve));
    const released = new Promise<void>((resolve) => (gate.release = resolve));
    // The former holder is paused after it has seen that the log does not have the delivery.
    const former = aProcess({
      read: async (...parameters) => {
        const events = await engines.store.read(...parameters);
        gate.reached();
        await released;
        return events;
      },
    });
    const successor = aProcess();
    const late = former.create(id, 'schedule', origin, (now) => ({ kind: 'schedule', terms: terms(), now }));
    await reached;
    await first(successor);
    expect(await statusIn(successor)).toBe('succeeded');
    gate.release();
    await late;
    expect([await statusIn(former), await statusIn(successor)]).toEqual(['succeeded', 'succeeded']);
    expect(await statusIn(aProcess())).toBe('succeeded');
  });
});
