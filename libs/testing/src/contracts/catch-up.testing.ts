import type { Decider, EventStore, EventToAppend, Recorded } from '@ponte/event-sourcing';
import { event } from '@ponte/event-sourcing';
import type { ReadModelRow } from '@ponte/read-models';
import { changesFrom, eventTablePart, listPart, rowsFrom } from '@ponte/read-models';

class Counted extends event('Counted')<{ readonly by: number }> {}
const counter = (
  category: string,
): Pick<Decider<never, number, Counted>, 'category' | 'initial' | 'events' | 'evolve'> => ({
  category,
  initial: 0,
  events: [Counted],
  evolve: (total, { data }) => total + data.by,
});
interface CountRow extends ReadModelRow {
  readonly total: number;
}

export const list = (table: string, category: string, version?: number) =>
  listPart<CountRow>({
    ...{ table, version },
    columns: { total: 'integer' },
    indices: [['total']],
    sources: [
      rowsFrom(counter(category), ({ id, state, revision }) => ({
        ...{ id, revision, created_at: '2026-01-01T00:00:00.000Z' },
        total: version === 2 ? state * 100 : state,
      })),
    ],
  });
export const sums = eventTablePart<{ readonly fruit: string; readonly total: bigint }>({
  table: 'fruit_totals',
  columns: { fruit: 'text', total: 'sum' },
  key: ['fruit'],
  from: ['apple', 'pear'].map((fruit) =>
    changesFrom(counter(fruit), ({ data }) => ({ put: { fruit, total: 10n ** 20n * BigInt(data.by) } })),
  ),
});
export const counted = (id: string): EventToAppend => ({
  id,
  type: 'Counted',
  version: 1,
  data: { by: 1 },
  meta: { commandId: id, index: 0, count: 1, occurredAt: '2026-01-01T00:00:00.000Z', correlationId: id },
});

export async function logOf(store: EventStore): Promise<Recorded[]> {
  const found: Recorded[] = [];
  const head = await store.head();
  const subscription = store.subscribe({ categories: ['apple', 'pear'] });
  for await (const { events, position } of subscription) {
    found.push(...events);
    if (head !== undefined && store.comparePositions(position, head) >= 0) break;
  }
  await subscription.close();
  return found;
}
