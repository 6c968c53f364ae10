import type { ParkedEvent } from '@ponte/event-sourcing';
import { PARKED_AFTER_GAP, PARKED_BEHIND } from '@ponte/event-sourcing';
import { parkedFor, releaseByReason } from './release-by-reason';

const BUG = 'TypeError: cannot read a price';
const rows = (streams: Readonly<Record<string, readonly string[]>>): ParkedEvent[] =>
  Object.entries(streams).flatMap(([key, reasons]) => reasons.map((reason) => ({ key, reason }) as ParkedEvent));

describe('streams that are parked for a reason', () => {
  const parked = rows({
    bug: [BUG, PARKED_BEHIND],
    bugAndGap: [BUG, PARKED_BEHIND, PARKED_AFTER_GAP],
    gap: [PARKED_AFTER_GAP, PARKED_BEHIND],
    repeatedGap: [PARKED_BEHIND, PARKED_AFTER_GAP],
    behind: [PARKED_BEHIND, PARKED_BEHIND],
  });

  it.each([
    ['TypeError', ['bug'], ['bugAndGap']],
    ['events of its stream are missing', ['gap', 'repeatedGap'], ['bugAndGap']],
    ['waits behind', ['behind'], []],
    ['RangeError', [], []],
  ])('(%s) are those that have no other reason, apart from the ones that do', (text, only, alsoOther) => {
    expect(parkedFor(parked, text)).toEqual({ only, alsoOther });
  });
});

it('a release names at most ten streams of a kind, and only the kind of an error', async () => {
  const many = Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`gap-${at}`, [BUG, PARKED_AFTER_GAP]]));
  const release = async (key: string): Promise<void> => {
    if (key === 'bad') throw new RangeError('secret');
  };
  const all = rows({ good: [BUG], bad: [BUG], ...many });
  const parked = async (only?: string) => all.filter(({ key }) => only === undefined || key === only);
  await expect(releaseByReason({ group: 'ledger', parked, text: 'TypeError', release })).rejects.toThrow(
    '1 of 2 streams of ledger released; not released completely, the rest stays parked: bad (RangeError); 11 left out, ' +
      'also parked for another reason, such as missing events: gap-0, gap-1, gap-2, gap-3, gap-4, gap-5, gap-6, gap-7, gap-8, gap-9, …;',
  );
});

it('a stream is left out if an event was parked for another reason while others were released', async () => {
  const released: string[] = [];
  const parked = async (key?: string) =>
    key === 'second' ? rows({ second: [BUG, PARKED_AFTER_GAP] }) : rows({ first: [BUG], second: [BUG] });
  const release = async (key: string) => void released.push(key);
  expect(await releaseByReason({ group: 'ledger', parked, text: 'TypeError', release })).toContain(
    '1 of 1 streams of ledger released; 1 left out, also parked for another reason, such as missing events: second;',
  );
  expect(released).toEqual(['first']);
});
