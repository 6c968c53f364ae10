import type { Kysely } from 'kysely';
import pino from 'pino';
import type { EventStore, Recorded } from '@ponte/event-sourcing';
import { NO_STREAM, WrongExpectedRevision } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import type { Engines } from '@ponte/nest';
import { openEmbeddedEngines } from '@ponte/nest';
import { temporaryFolder } from '@ponte/testing';
import { atOnce, events, failed, LATER, scheduled, started, succeeded } from '../testing/delivery-events';
import type { WebhooksSchema } from '../testing/webhooks-schema';
import { createDeliveryTables } from '../deliveries/delivery-tables.adapter';
import { JournaledStore } from './journaled-store';

let made = 0;

const types = (recorded: readonly Recorded[]): string[] => recorded.map(({ type }) => type);

describe('the store of deliveries', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let engines: Engines;
  let db: Kysely<WebhooksSchema>;
  let store: JournaledStore;
  let told: string[];
  let id: string;
  const stream = (): string => `delivery-${id}`;
  const inLog = async (): Promise<string[]> => types(await engines.store.read(stream()));

  beforeAll(async () => {
    folder = temporaryFolder();
    const runtime = {
      environment: 'sandbox',
      dataDirectory: folder.path,
      port: 0,
      logLevel: 'silent',
      embeddedByName: true,
      failpoint: null,
    } as const;
    engines = await openEmbeddedEngines(runtime, 'webhooks', { logger: pino({ level: 'silent' }) });
    db = engines.views as Kysely<WebhooksSchema>;
    await createDeliveryTables(engines.views);
  });
  beforeEach(() => {
    id = derivedId('delivery', String((made += 1)));
    store = new JournaledStore(engines.store, engines.views);
    told = [];
    store.tells(
      async (recorded) => void told.push(...types(recorded)),
      async (recorded) => void told.push(...types(recorded)),
    );
  });
  afterAll(async () => {
    await engines.close();
    folder.remove();
  });

  it('writes what is delivered at once to the log alone', async () => {
    await store.append(stream(), NO_STREAM, events(atOnce(id)));
    expect([await inLog(), told, types(await store.read(stream()))]).toEqual([
      ['DeliveredAtOnce'],
      [],
      ['DeliveredAtOnce'],
    ]);
  });

  it('keeps attempts that fail out of the log, and gives it the three events of a success', async () => {
    await store.append(stream(), NO_STREAM, events(scheduled(id), started(id), failed(id, LATER)));
    expect([await inLog(), told]).toEqual([[], ['DeliveryScheduled', 'DeliveryStarted', 'DeliveryAttemptFailed']]);
    await store.append(stream(), 2, events(started(id, 2)));
    await store.append(stream(), 3, events(succeeded(id, 2)));
    expect(await inLog()).toEqual(['DeliveryScheduled', 'DeliveryStarted', 'DeliverySucceeded']);
    expect(types(await store.read(stream()))).toHaveLength(5);
    expect((await store.read(stream(), { from: 3, limit: 1 })).map(({ revision }) => revision)).toEqual([3]);
  });

  it('carries out the same append once, and refuses another one at the same revision', async () => {
    const first = events(scheduled(id));
    await store.append(stream(), NO_STREAM, first);
    expect((await store.append(stream(), NO_STREAM, first)).revision).toBe(0);
    await expect(store.append(stream(), NO_STREAM, events(scheduled(id)))).rejects.toThrow(WrongExpectedRevision);
    expect(types(await store.read(stream()))).toEqual(['DeliveryScheduled']);
  });

  it('of two appends at once to one new stream takes one, and neither spoils those beside them', async () => {
    const other = derivedId('delivery', 'beside', id);
    const results = await Promise.allSettled([
      store.append(stream(), NO_STREAM, events(scheduled(id))),
      store.append(stream(), NO_STREAM, events(scheduled(id))),
      store.append(`delivery-${other}`, NO_STREAM, events(scheduled(other))),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect((results[1] as PromiseRejectedResult).reason).toBeInstanceOf(WrongExpectedRevision);
  });

  it('holds up no other delivery while the log does not answer for one', async () => {
    const log: EventStore = Object.create(engines.store, {
      append: { value: () => new Promise(() => undefined) },
    }) as EventStore;
    const slow = new JournaledStore(log, engines.views);
    await slow.append(stream(), NO_STREAM, events(scheduled(id), started(id)));
    void slow.append(stream(), 1, events(succeeded(id)));
    const other = derivedId('delivery', 'not held up', id);
    await slow.append(`delivery-${other}`, NO_STREAM, events(scheduled(other)));
    expect(types(await slow.read(`delivery-${other}`))).toEqual(['DeliveryScheduled']);
  });

  it('writes an append again until its rows are shown, without a second event', async () => {
    let away = true;
    store.tells(
      async () => {
        if (away) throw new Error('the views cannot be written');
      },
      async () => undefined,
    );
    const first = events(scheduled(id));
    await expect(store.append(stream(), NO_STREAM, first)).rejects.toThrow();
    away = false;
    await store.append(stream(), NO_STREAM, first);
    expect(types(await store.read(stream()))).toEqual(['DeliveryScheduled']);
  });

  it('goes on in the log with a delivery that began there', async () => {
    await engines.store.append(stream(), NO_STREAM, events(scheduled(id)));
    await store.append(stream(), 0, events(started(id)));
    expect(await inLog()).toEqual(['DeliveryScheduled', 'DeliveryStarted']);
  });

  it.each([
    ['waits', [scheduled], ['DeliveryStarted', 'DeliverySucceeded']],
    ['is under way', [scheduled, started], ['DeliverySucceeded']],
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

  it('shows again, once, what is behind the journal, also where showing changes nothing', async () => {
    await store.append(stream(), NO_STREAM, events(scheduled(id)));
    told = [];
    await store.settle();
    expect(told).toContain('DeliveryScheduled');
    told = [];
    await store.settle(LATER);
    expect(told).toEqual([]);
  });

  it('deletes what no row shows and is old as a whole, and keeps a delivery with a younger event', async () => {
    await store.append(stream(), NO_STREAM, events(scheduled(id), started(id), failed(id, null)));
    await db
      .updateTable('webhook_delivery_journal')
      .set({ at: LATER })
      .where('delivery_id', '=', id)
      .where('revision', '=', 2)
      .execute();
    await store.deleteBefore('2026-06-01T00:00:00.000Z');
    expect(types(await store.read(stream()))).toHaveLength(3);
    await store.deleteBefore('2026-07-01T00:00:00.000Z');
    expect(await store.read(stream())).toEqual([]);
  });
});
