import { builtInList, LocalList } from '@ponte/screening-lists';
import { peopleReader } from './read-list';
import { SANDBOX_PEP } from './sandbox-lists';

const ROOM = { names: 1_000, bytes: 10 * 2 ** 20 };
const textAt = (at: string): string => SANDBOX_PEP.replace('dateGenerated="sandbox"', `dateGenerated="${at}"`);

/** Replaces the first of the lists by the others, one after the other, and returns the refusal of the last. */
async function replacing(first: string, ...others: readonly string[]): Promise<unknown> {
  let source = builtInList('pep', textAt(first));
  const list = new LocalList(
    {
      name: 'pep',
      state: async () => ({ version: await source.digest(), writtenAt: null }),
      digest: () => source.digest(),
      read: () => source.read(),
    },
    peopleReader('pep'),
  );
  await list.refresh(ROOM);
  for (const other of others) {
    source = builtInList('pep', textAt(other));
    await list.refresh(ROOM);
  }
  return list.refusal;
}

describe('The date that a list of people states', () => {
  it.each([
    ['2026-03-01T00:00:00.391Z', '2026-03-01T00:00:00Z'],
    ['2026-03-01T00:00:00-04:00', '2026-03-01T03:59:59Z'],
    ['2026-03-01', '2026-02-28'],
    ['2026-03-01', '2026-02-28T23:59:59Z'],
    ['2026-03-01T00:00:00Z', '2026-02-28'],
  ])('is %s: a list of %s does not replace it', async (before, now) => {
    expect(await replacing(before, now)).toMatchObject({
      message: expect.stringContaining('older than the one in use'),
    });
    expect(await replacing(now, before)).toBeUndefined();
  });

  it.each(['2026-03-01T14:30:00Z', '2026-03-01T23:30:00-04:00'])(
    'may change from %s to the day of that time, and back only to a time that is not before it',
    async (time) => {
      expect(await replacing(time, '2026-03-01')).toBeUndefined();
      expect(await replacing(time, '2026-03-01', time)).toBeUndefined();
      expect(await replacing(time, '2026-03-01', '2026-03-01T14:29:59Z')).toMatchObject({
        message: expect.stringContaining('older than the one in use'),
      });
      expect(await replacing(time, '2026-03-01', '2026-03-02', '2026-03-02T00:00:00-04:00')).toBeUndefined();
    },
  );
});
