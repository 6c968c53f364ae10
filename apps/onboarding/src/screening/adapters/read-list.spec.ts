import { builtInList, LocalList } from '@ponte/screening-lists';
import { peopleReader } from './read-list';
import { SANDBOX_PEP } from './sandbox-lists';

const ROOM = { names: 1_000, bytes: 10 * 2 ** 20 };
const textAt = (at: string): string => SANDBOX_PEP.replace('dateGenerated="sandbox"', `dateGenerated="${at}"`);

/** Replaces a list by another, and returns the refusal. */
async function replacing(before: string, now: string): Promise<unknown> {
  let source = builtInList('pep', textAt(before));
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
  source = builtInList('pep', textAt(now));
  await list.refresh(ROOM);
  return list.refusal;
}

describe('The date that a list of people states', () => {
  it.each([
    ['2026-03-01T00:00:00.391Z', '2026-03-01T00:00:00Z'],
    ['2026-03-01T00:00:00-04:00', '2026-03-01T03:59:59Z'],
    ['2026-03-01', '2026-02-28'],
  ])('is %s: a list of %s does not replace it', async (before, now) => {
    expect(await replacing(before, now)).toMatchObject({
      message: expect.stringContaining('older than the one in use'),
    });
    expect(await replacing(now, before)).toBeUndefined();
  });
});
