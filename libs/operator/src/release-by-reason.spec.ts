import type { MayRelease, ParkedEvent } from '@ponte/event-sourcing';
import { PARKED_AFTER_GAP, PARKED_BEHIND } from '@ponte/event-sourcing';
import { parkedFor, releaseByReason } from './release-by-reason';

const BUG = 'TypeError: cannot read a price';
const rows = (streams: Readonly<Record<string, readonly string[]>>): ParkedEvent[] =>
  Object.entries(streams).flatMap(([key, reasons]) =>
    reasons.map((reason) => ({ key, reason, event: { revision: 1 } }) as ParkedEvent),
  );

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

it('a text may span both reasons of an event, as the list shows them', () => {
  const both = { key: 'both', reason: BUG, event: { revision: 3 }, missingFrom: 1 } as ParkedEvent;
  const parked = [...rows({ bug: [BUG], gap: [PARKED_AFTER_GAP] }), both];
  expect(parkedFor(parked, `a price; ${PARKED_AFTER_GAP}`)).toEqual({ only: ['both'], alsoOther: [] });
  expect(parkedFor(parked, 'a price')).toEqual({ only: ['bug'], alsoOther: ['both'] });
});

it('a release names at most ten streams of a kind, and only the kind of an error', async () => {
  const many = Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`gap-${at}`, [BUG, PARKED_AFTER_GAP]]));
  const release = async (key: string): Promise<boolean> => {
    if (key === 'bad') throw new RangeError('secret');
    return true;
  };
  const parked = rows({ good: [BUG], bad: [BUG], ...many });
  await expect(releaseByReason({ group: 'ledger', parked, text: 'TypeError', release })).rejects.toThrow(
    '1 of 2 streams of ledger released; released only in part, the rest stays parked: bad (RangeError); 11 left out, ' +
      'because they are parked for another reason too, such as missing events: gap-0, gap-1, gap-2, gap-3, gap-4, gap-5, gap-6, gap-7, gap-8, gap-9, …; look at them with ' +
      '"parked list --group ledger", fix that cause as well, and release each with ' +
      `'parked release <stream> --group ledger --reason "…"'`,
  );
});

it('a stream is left out if it is parked for another reason by the time it would be released', async () => {
  const later: Record<string, readonly string[]> = { a: [BUG], b: [BUG, PARKED_AFTER_GAP], c: [PARKED_AFTER_GAP] };
  const release = async (key: string, mayRelease: MayRelease) => mayRelease(rows({ [key]: later[key] ?? [] }));
  const parked = rows({ a: [BUG], b: [BUG], c: [BUG] });
  expect(await releaseByReason({ group: 'ledger', parked, text: 'TypeError', release })).toContain(
    '1 of 1 streams of ledger released; 2 left out, because they are parked for another reason too, such as ' +
      'missing events: b, c;',
  );
});
