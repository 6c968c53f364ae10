import type { DueRequest } from '../review/review-queue.read-model';
import { DueTurns } from './due-turns';

const DUE_AT = '2026-03-01T12:00:00.000Z';

const NOW = Date.UTC(2026, 2, 2);

const requestOf = (parentId: string, number: number, dueAt = DUE_AT): DueRequest => ({
  ...{ parentId, dueAt, since: DUE_AT },
  id: `${parentId}-${String(number).padStart(6, '0')}`,
});

/** The turns over these due requests, in this order. */
const turnsOver = (all: readonly DueRequest[]): DueTurns =>
  new DueTurns(
    {
      due: async ({ after, limit }) => {
        const from = after === null ? 0 : all.findIndex(({ id }) => id === after.id) + 1;
        return all.slice(from, from + limit);
      },
    },
    'screening',
  );

/** Tries the first requests of a pass, which stay due. */
async function pass(turns: DueTurns, now: number, most: number): Promise<string[]> {
  const tried = (await turns.next(now)).slice(0, most);
  for (const one of tried) {
    turns.begin(one, now);
    turns.end(one, now);
  }
  return tried.map(({ id }) => id);
}

describe('Due requests', () => {
  it('of one partner do not keep back those of another, however many there are', async () => {
    const turns = turnsOver([...Array.from({ length: 300 }, (_, at) => requestOf('a', at)), requestOf('b', 0)]);
    expect(await pass(turns, NOW, 3)).toEqual(['a-000000', 'b-000000', 'a-000001']);
  });

  it('each get their turn if many more than one pass can try stay due, even without a rest', async () => {
    const turns = turnsOver(Array.from({ length: 1_000 }, (_, at) => requestOf('a', at)));
    const tried = new Set<string>();
    const hour = 3_600_000;
    for (let at = 0; at < 10; at += 1) for (const id of await pass(turns, NOW + at * hour, 100)) tried.add(id);
    expect(tried.size).toBe(1_000);
  });

  it('each get their turn beyond the first page', async () => {
    const turns = turnsOver(Array.from({ length: 12_000 }, (_, at) => requestOf('a', at)));
    const tried = new Set<string>();
    for (let at = 0; at < 3; at += 1) for (const id of await pass(turns, NOW, 5_000)) tried.add(id);
    expect(tried.size).toBe(12_000);
    expect(await pass(turns, NOW + 30_000, 5_000)).toHaveLength(5_000);
  });

  it('rest from the end of each try, longer each time, and not at all once they are due for something else', async () => {
    const one = requestOf('a', 0);
    const turns = turnsOver([one]);
    const isReady = async (at: number): Promise<boolean> => (await turns.next(at)).length === 1;
    let now = NOW;
    for (const seconds of [30, 60, 300, 900, 900]) {
      expect(turns.hasTried(one)).toBe(now > NOW);
      turns.begin(one, now);
      now += 3_600_000;
      expect(await isReady(now)).toBe(false);
      turns.end(one, now);
      expect(await isReady(now + seconds * 1_000 - 1)).toBe(false);
      now += seconds * 1_000;
      expect(await isReady(now)).toBe(true);
    }
    turns.end(one, now);
    expect(await turnsOver([requestOf('a', 0, '2026-03-01T13:00:00.000Z')]).next(now)).toHaveLength(1);
    expect(turns.hasTried(requestOf('a', 0, '2026-03-01T13:00:00.000Z'))).toBe(false);
  });
});
