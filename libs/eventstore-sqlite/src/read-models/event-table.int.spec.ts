import type { Decider, Recorded } from '@ponte/event-sourcing';
import { event } from '@ponte/event-sourcing';
import { catchUp, changesFrom, createReadModelCheckpoints, eventTablePart } from '@ponte/read-models';
import { openSqliteReadModels } from '../index';

class Painted extends event('Painted')<{ readonly id: string; readonly colour: string }> {}
class Removed extends event('Removed')<{ readonly id: string }> {}
class AllRemoved extends event('AllRemoved')<{ readonly colour: string }> {}
type PaintEvent = Painted | Removed | AllRemoved;
const paint: Pick<Decider<never, null, PaintEvent>, 'category' | 'events' | 'evolve'> = {
  category: 'paint',
  events: [Painted, Removed, AllRemoved],
  evolve: () => null,
};

interface Row {
  readonly id: string;
  readonly colour: string;
  readonly coats: bigint;
}
const { part, tableIn } = eventTablePart<Row>({
  table: 'paint',
  columns: { id: 'text', colour: 'text', coats: 'sum' },
  key: ['id'],
  from: [
    changesFrom(paint, ({ type, data }) => {
      if (type === 'Painted') return { put: { ...data, coats: 1n } };
      if (type === 'Removed') return { remove: data.id };
      return { removeWhere: ({ eb }) => eb('colour', '=', data.colour) };
    }),
  ],
});

const db = openSqliteReadModels<unknown>(':memory:');
const table = tableIn(db);
const shown = () => table.select((rows) => rows.orderBy('id'));
const reader = { name: 'paint', parts: [part] };
const store = { read: async () => [], comparePositions: (a: string, b: string) => Number(a) - Number(b) };
const following = catchUp({ reader, readModels: db, store });

const meta = { commandId: 'c', index: 0, count: 1, occurredAt: '2026-01-01T00:00:00.000Z', correlationId: 'c' };
const recorded = (position: number, { type, data }: PaintEvent): Recorded => ({
  ...{ id: `e${position}`, stream: 'paint-a', revision: position, position: String(position) },
  ...{ type, version: 1, data, meta },
});
const painted = (position: number, id: string, colour: string) => recorded(position, new Painted({ id, colour }));
const apply = (...events: Recorded[]) =>
  following.apply({ events, position: events.at(-1)?.position ?? '', caughtUp: true }, 1);

describe('rows of an event table', () => {
  beforeAll(async () => {
    await createReadModelCheckpoints(db).prepare();
    await table.prepare();
  });
  afterAll(() => db.destroy());

  it('are written in groups, and deleted when an event removes them', async () => {
    await apply(painted(1, 'a', 'red'), painted(2, 'b', 'blue'));
    await apply(
      painted(3, 'a', 'green'),
      recorded(4, new Removed({ id: 'b' })),
      recorded(5, new Removed({ id: 'c' })),
      painted(6, 'd', 'grey'),
      recorded(7, new AllRemoved({ colour: 'grey' })),
    );
    expect(await shown()).toEqual([{ id: 'a', colour: 'green', coats: 2n }]);
  });

  it('are never overwritten by an earlier event', async () => {
    await apply(painted(2, 'a', 'black'));
    await apply(painted(6, 'e', 'grey'), painted(7, 'a', 'white'));
    expect(await shown()).toEqual([{ id: 'a', colour: 'green', coats: 2n }]);
  });

  it('are inserted again by an event after the one that removed them', async () => {
    await apply(recorded(8, new AllRemoved({ colour: 'green' })), painted(9, 'a', 'green'));
    expect(await shown()).toEqual([{ id: 'a', colour: 'green', coats: 1n }]);
  });
});
