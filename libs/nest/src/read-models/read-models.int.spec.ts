import 'reflect-metadata';
import { join } from 'node:path';
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { openSqliteState, openSqliteReadModels } from '@ponte/eventstore-sqlite';
import { createReadModelCheckpoints } from '@ponte/read-models';
import type { Decider, Recorded } from '@ponte/event-sourcing';
import { Aggregates, event } from '@ponte/event-sourcing';
import { eventually, freshId, MemoryEventStore, temporaryFolder } from '@ponte/testing';
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { defineRepository } from '../repository';
import { CLOCK, EVENT_STORE, LEASE, LOGGER, READ_MODEL_CHECKPOINTS, READ_MODELS } from '../tokens';
import { defineReadModel, provideReadModels, rebuildableReadModels } from './define-read-model';

class Counted extends event('Counted')<{ by: number }> {}
const counter: Decider<number, { readonly total: number }, Counted> = {
  category: 'counter',
  initial: { total: 0 },
  events: [Counted],
  decide: (by) => [new Counted({ by })],
  evolve: ({ total }, { data }) => ({ total: total + data.by }),
};

@Injectable()
class CounterList extends defineReadModel({
  table: 'counters',
  reader: 'counters-list',
  of: counter,
  columns: { total: 'integer', record: 'json' },
  indices: [['total']],
  rows: ({ id, state: { total }, revision }) =>
    total < 0 ? undefined : { id, revision, created_at: '2026-01-01T00:00:00.000Z', total, record: { id, total } },
}) {}
/** Kept up to date by a reader of its own. */
@Injectable()
class CounterIds extends defineReadModel({
  table: 'counter_ids',
  of: counter,
  columns: {},
  rows: ({ id, revision }) => ({ id, revision, created_at: '2026-01-01T00:00:00.000Z' }),
}) {}
@Injectable()
class Listener {
  readonly heard: string[] = [];
  rowsWritten(events: readonly Recorded[]): void {
    this.heard.push(...events.map(({ stream }) => stream));
  }
}
const then = { reader: 'counters-list', listener: Listener };
@Injectable()
class Counters extends defineRepository(counter, CounterList) {}

const context = () => ({ commandId: freshId(), correlationId: 'c', actor: 'test', accountId: 'a' });
const page = { limit: 10, cursor: null, createdFrom: null, createdTo: null };
let readModels: Kysely<unknown>;
let errors: unknown[][];
let counters: Counters;
let list: CounterList;
let ids: CounterIds;
let listener: Listener;
let close: () => Promise<void>;
beforeEach(async () => {
  readModels = openSqliteReadModels<unknown>(':memory:');
  errors = [];
  const store = new MemoryEventStore();
  const folder = temporaryFolder();
  const state = openSqliteState(join(folder.path, 'state.db'), 'off');
  const checkpoints = createReadModelCheckpoints(readModels);
  await checkpoints.prepare();
  const values: [symbol | typeof Aggregates, unknown][] = [
    [Aggregates, new Aggregates({ store, systemNow: () => 0, pause: async () => undefined })],
    [CLOCK, { now: () => 0 }],
    [LOGGER, { error: (...line: unknown[]) => errors.push(line), warn: () => undefined, info: () => undefined }],
    [READ_MODELS, readModels],
    [EVENT_STORE, store],
    [READ_MODEL_CHECKPOINTS, checkpoints],
    [LEASE, state.lease],
  ];
  @Module({
    providers: [
      Counters,
      Listener,
      ...provideReadModels([CounterIds, CounterList], { lingerMs: 0, then }),
      ...values.map(([provide, useValue]) => ({ provide, useValue })),
    ],
  })
  class Root {}
  const app = await NestFactory.createApplicationContext(Root, { logger: false });
  counters = app.get(Counters);
  list = app.get(CounterList);
  ids = app.get(CounterIds);
  listener = app.get(Listener);
  close = async () => {
    await app.close();
    await readModels.destroy();
    await state.close();
    folder.remove();
  };
});
afterEach(() => close());

const records = async () => (await list.records({ where: {}, page })).items;

describe('a read model', () => {
  it('contains the row of the new state as soon as the command returns', async () => {
    await counters.createIfAbsent('one', 2, context());
    expect(await records()).toEqual([{ id: 'one', total: 2 }]);
    expect(await list.table.find({ total: 2 })).toMatchObject({ id: 'one', revision: 0 });
  });

  it('contains no row for a state without rows', async () => {
    await counters.createIfAbsent('one', -1, context());
    expect(await records()).toEqual([]);
  });

  it('does not fail a command whose row cannot be written; its projector writes the row later', async () => {
    await sql`ALTER TABLE counters RENAME TO elsewhere`.execute(readModels);
    expect(await counters.createIfAbsent('one', 3, context())).toEqual({ total: 3 });
    await eventually(() => expect(JSON.stringify(errors)).toContain('a projector cannot process'));
    await sql`ALTER TABLE elsewhere RENAME TO counters`.execute(readModels);
    await eventually(async () => expect(await records()).toEqual([{ id: 'one', total: 3 }]));
  });

  it('returns pages by cursor', async () => {
    for (const id of ['a', 'b', 'c']) await counters.createIfAbsent(id, 1, context());
    const first = await list.records({ where: {}, page: { ...page, limit: 2 } });
    const rest = await list.records({ where: {}, page: { ...page, cursor: first.next } });
    expect([...first.items, ...rest.items].map(({ id }) => id)).toEqual(['c', 'b', 'a']);
    expect(rest.next).toBeNull();
  });

  it('is rebuilt from its category, under the name of its reader', () => {
    const named = { name: 'counters-list', reader: 'counters-list', tables: ['counters'], categories: ['counter'] };
    expect(rebuildableReadModels([CounterList])).toEqual([expect.objectContaining(named)]);
  });

  it('cannot have the table of another read model', () => {
    @Injectable()
    class Copy extends defineReadModel({
      table: 'counters',
      of: counter,
      columns: {},
      rows: () => undefined,
    }) {}
    expect(() => rebuildableReadModels([CounterList, CounterIds, Copy])).toThrow(
      'two read models have the table counters',
    );
  });
});

describe('a listener of a reader', () => {
  it('is called with the events whose rows that reader has written', async () => {
    await counters.createIfAbsent('one', 2, context());
    await eventually(() => expect(listener.heard).toEqual(['counter-one']));
    await counters.execute('one', () => 3, context());
    for (const { table } of [list, ids])
      await eventually(async () => expect(await table.find({ id: 'one' })).toMatchObject({ revision: 1 }));
    await eventually(() => expect(listener.heard).toHaveLength(2));
  });

  it('must name a reader of the read models', () => {
    expect(() => provideReadModels([CounterIds], { then })).toThrow('no read model has the reader counters-list');
  });
});
