import type { ScreeningMatch } from './screening.port';
import { MORE_MATCHES_LIST } from './own-lists.domain';
import { MAX_NEW_HITS, MAX_OPEN_HITS, cutSearch, shownMatches } from './shown-matches.domain';

const matches = (list: string, count: number, from = 0, score = 90): readonly ScreeningMatch[] =>
  Array.from({ length: count }, (_, i) => ({
    ...{ list, entryId: `${list}-${i + from}`, score, matchedOn: 'José da Silva', entryVersion: 'v1' },
  }));
const ids = (shown: readonly ScreeningMatch[]): readonly string[] => shown.map(({ entryId }) => entryId);
const more = (list: string, count: number) => ({
  ...{ list: MORE_MATCHES_LIST, entryId: list, score: 100 },
  matchedOn: expect.stringMatching(`^${count} more entries of the list ${list} `),
});

describe('The matches that a case shows', () => {
  it('are all of them if they are few', () => {
    const found = matches('pep', MAX_OPEN_HITS);
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

  it('include each one that is better than those that wait, however many wait', () => {
    const [exact, equal] = [matches('un', 1, 80, 100), matches('un', 1, 90, 81)];
    const shown = shownMatches([...equal, ...exact], { open: matches('un', 25, 0, 81) });
    expect(shown).toEqual([...exact, more('un', 1)]);
  });

  it('are limited over all lists too, to the best ones', () => {
    const lists = Array.from({ length: 13 }, (_, i) => matches(`list-${i}`, 25, 0, 80 + i));
    const shown = shownMatches(lists.flat(), { open: [] });
    expect(shown.slice(0, MAX_NEW_HITS)).toEqual(lists.slice(9).reverse().flat());
    expect(shown.slice(MAX_NEW_HITS)).toHaveLength(9);
    expect(shown.at(-1)).toEqual(more('list-0', 25));
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

  it('say that the search was cut, whether or not others wait', () => {
    const cut = cutSearch('pep');
    expect(cut.matchedOn).toContain('returns only the best 5,000');
    expect(shownMatches([...matches('pep', 3), ...matches('un', 30), cut], { open: [] })).toEqual([
      ...matches('pep', 3),
      ...matches('un', 25),
      more('un', 5),
      cut,
    ]);
    expect(shownMatches([cut, ...matches('pep', 30)], { open: [], cleared: [more('pep', 5)] })).toEqual([
      ...matches('pep', 25),
      more('pep', 5),
      cut,
    ]);
  });
});
