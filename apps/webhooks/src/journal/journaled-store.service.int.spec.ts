import type { EventStore, Recorded } from '@ponte/event-sourcing';
import { NO_STREAM, WrongExpectedRevision } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import type { Engines } from '@ponte/nest';
import { atOnce, events, failed, LATER, scheduled, started, succeeded } from '../testing/delivery-events';
import { openDeliveryEngines } from '../testing/delivery-engines';
import { JournaledStore } from './journaled-store.service';

let made = 0;

const types = (recorded: readonly Recorded[]): string[] => recorded.map(({ type }) => type);

describe('the journaled store', () => {
  let opened: Awaited<ReturnType<typeof openDeliveryEngines>>;
  let engines: Engines;
  let store: JournaledStore;
  let notified: string[];
  let id: string;
  const stream = (): string => `delivery-${id}`;
  const inLog = async (): Promise<string[]> => types(await engines.store.read(stream()));

  beforeAll(async () => {
    opened = await openDeliveryEngines();
    engines = opened.engines;
  });
  beforeEach(() => {
    id = derivedId('delivery', String((made += 1)));
    store = new JournaledStore(engines.store, engines.readModels);
    notified = [];
    store.listen(
      async (recorded) => void notified.push(...types(recorded)),
      async () => undefined,
    );
  });
  afterAll(() => opened.close());

  it('writes a delivery that succeeds at once only to the log', async () => {
    await store.append(stream(), NO_STREAM, events(atOnce(id)));
    expect([await inLog(), notified, types(await store.read(stream()))]).toEqual([
      ['DeliveredAtOnce'],
      [],
      ['DeliveredAtOnce'],
    ]);
  });

  it('keeps failed attempts out of the log, and appends three events to it on success', async () => {
    await store.append(stream(), NO_STREAM, events(scheduled(id), started(id), failed(id, LATER)));
    expect([await inLog(), notified]).toEqual([[], ['DeliveryScheduled', 'DeliveryStarted', 'DeliveryAttemptFailed']]);
    await store.append(stream(), 2, events(started(id, 2)));
    await store.append(stream(), 3, events(succeeded(id, 2)));
    expect(await inLog()).toEqual(['DeliveryScheduled', 'DeliveryStarted', 'DeliverySucceeded']);
    expect(types(await store.read(stream()))).toHaveLength(5);
    expect((await store.read(stream(), { from: 3, limit: 1 })).map(({ revision }) => revision)).toEqual([3]);
  });

  it('executes the same append once and refuses another one at the same revision', async () => {
    const first = events(scheduled(id));
    await store.append(stream(), NO_STREAM, first);
    expect((await store.append(stream(), NO_STREAM, first)).revision).toBe(0);
    await expect(store.append(stream(), NO_STREAM, events(scheduled(id)))).rejects.toThrow(WrongExpectedRevision);
    expect(types(await store.read(stream()))).toEqual(['DeliveryScheduled']);
  });

  it('accepts one of two concurrent appends to a new stream, without affecting other streams', async () => {
    const other = derivedId('delivery', 'beside', id);
    const results = await Promise.allSettled([
      store.append(stream(), NO_STREAM, events(scheduled(id))),
      store.append(stream(), NO_STREAM, events(scheduled(id))),
      store.append(`delivery-${other}`, NO_STREAM, events(scheduled(other))),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect((results[1] as PromiseRejectedResult).reason).toBeInstanceOf(WrongExpectedRevision);
  });

  it('does not delay other deliveries while the log does not respond for one', async () => {
    const log: EventStore = Object.create(engines.store, {
      append: { value: () => new Promise(() => undefined) },
    }) as EventStore;
    const slow = new JournaledStore(log, engines.readModels);
    await slow.append(stream(), NO_STREAM, events(scheduled(id), started(id)));
    void slow.append(stream(), 1, events(succeeded(id)));
    const other = derivedId('delivery', 'not held up', id);
    await slow.append(`delivery-${other}`, NO_STREAM, events(scheduled(other)));
    expect(types(await slow.read(`delivery-${other}`))).toEqual(['DeliveryScheduled']);
  });

  it('accepts a repeated append until its rows are written, without a second event', async () => {
    let away = true;
    store.listen(
      async () => {
        if (away) throw new Error('the read model cannot be written');
      },
      async () => undefined,
    );
    const first = events(scheduled(id));
    await expect(store.append(stream(), NO_STREAM, first)).rejects.toThrow();
    away = false;
    await store.append(stream(), NO_STREAM, first);
    expect(types(await store.read(stream()))).toEqual(['DeliveryScheduled']);
  });

  it('continues a delivery in the log if it began there', async () => {
    await engines.store.append(stream(), NO_STREAM, events(scheduled(id)));
    await store.append(stream(), 0, events(started(id)));
    expect(await inLog()).toEqual(['DeliveryScheduled', 'DeliveryStarted']);
  });

  it.each([
    ['is pending', [scheduled], ['DeliveryStarted', 'DeliverySucceeded']],
    ['is running', [scheduled, started], ['DeliverySucceeded']],
    [
      'had failed for good',
      [scheduled, started, (one: string) => failed(one, null)],
      ['DeliveryReplayed', 'DeliveryStarted', 'DeliverySucceeded'],
    ],
  ] as const)('completes the journal of a delivery that %s there and succeeded in the log', async (_, own, added) => {
    await store.append(stream(), NO_STREAM, events(...own.map((make) => make(id))));
    await engines.store.append(stream(), NO_STREAM, events(atOnce(id)));
    expect(types(await store.read(stream())).slice(own.length)).toEqual(added);
    expect(types(await store.read(stream())).slice(own.length)).toEqual(added);
  });
});
