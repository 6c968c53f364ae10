import type { ScreeningMatch } from './screening.port';
import { MORE_MATCHES_LIST } from './own-lists.domain';
import { MOST_OPEN_HITS, shownMatches } from './shown-matches.domain';

const matches = (list: string, count: number, from = 0): readonly ScreeningMatch[] =>
  Array.from({ length: count }, (_, i) => ({
    ...{ list, entryId: `${list}-${i + from}`, score: 90, matchedOn: 'José da Silva', entryVersion: 'v1' },
  }));
const ids = (shown: readonly ScreeningMatch[]): readonly string[] => shown.map(({ entryId }) => entryId);
const more = (list: string, count: number) => ({
  ...{ list: MORE_MATCHES_LIST, entryId: list, score: 100 },
  matchedOn: expect.stringMatching(`^${count} more entries of the list ${list} `),
});

describe('The matches that a case shows', () => {
  it('are all of them if they are few', () => {
    const found = matches('pep', MOST_OPEN_HITS);
    expect(shownMatches(found, { open: [] })).toEqual(found);
  });

  it('are the best ones of each list, with a hit that says that more matched', () => {
    const [pep, un] = [matches('pep', 40), matches('un', 3)];
    const shown = shownMatches([...pep, ...un], { open: [] });
    expect(shown).toEqual([...pep.slice(0, 25), ...un, more('pep', 15)]);
  });

  it('are fewer while others wait for a verdict, of the same list only', () => {
    const found = matches('pep', 10, 20);
    expect(ids(shownMatches(found, { open: matches('pep', 20) }))).toEqual([...ids(found.slice(0, 5)), 'pep']);
    expect(shownMatches(found, { open: matches('pep', 25) })).toEqual([more('pep', 10)]);
    expect(shownMatches(found, { open: matches('un', 25) })).toEqual(found);
  });

  it('begin with those that staff have not cleared elsewhere, unless their entry changed since', () => {
    const found = matches('pep', 30);
    const cleared = found.slice(0, 10).map((one, i) => (i === 0 ? { ...one, entryVersion: 'v0' } : one));
    const shown = ids(shownMatches(found, { open: [], cleared }));
    expect(shown.slice(0, 21)).toEqual(['pep-0', ...ids(found.slice(10))]);
    expect(shown).toHaveLength(26);
  });

  it('reach every entry, as staff judge those before', () => {
    const found = matches('pep', 120);
    const judged = new Set<string>();
    for (let round = 0; judged.size < found.length; round++) {
      expect(round).toBeLessThan(5);
      const shown = shownMatches(
        found.filter(({ entryId }) => !judged.has(entryId)),
        { open: [] },
      );
      for (const { list, entryId } of shown) if (list === 'pep') judged.add(entryId);
    }
  });
});
