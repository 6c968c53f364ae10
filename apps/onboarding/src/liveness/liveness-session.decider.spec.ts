import { derivedId } from '@ponte/kernel';
import type { LivenessSession, Naming } from './liveness-session.decider';
import { concernedBy, othersNaming, sharedWith } from './liveness-session.decider';

const sessionOf = (...people: readonly string[]): LivenessSession => ({
  namedBy: people.map((subjectId, at) => ({ requestId: `${subjectId}-${at}`, subjectId })),
});

const idsOf = (namings: readonly Naming[]): string[] => namings.map(({ requestId }) => requestId);

describe('A liveness session', () => {
  it('concerns, with each naming, only requests of other people that do not have 20 sharers yet', () => {
    const session = sessionOf('a', 'b', 'a', 'c');
    expect(idsOf(concernedBy(session, 'a-0'))).toEqual(['a-0']);
    expect(idsOf(concernedBy(session, 'b-1'))).toEqual(['a-0', 'b-1']);
    expect(idsOf(concernedBy(session, 'a-2'))).toEqual(['b-1', 'a-2']);
    expect(idsOf(concernedBy(session, 'c-3'))).toEqual(['a-0', 'b-1', 'a-2', 'c-3']);
    expect(concernedBy(session, 'unknown')).toEqual([]);
    const many = sessionOf(...Array.from({ length: 400 }, (_, at) => `p${at}`));
    expect(concernedBy(many, 'p20-20')).toHaveLength(21);
    expect(idsOf(concernedBy(many, 'p21-21'))).toEqual(['p21-21']);
    expect(idsOf(concernedBy(many, 'p399-399'))).toEqual(['p399-399']);
  });

  it('tells every request of its first 20 sharers, in whatever order people name it', () => {
    for (let run = 0; run < 50; run += 1) {
      const people = Array.from({ length: 60 }, (_, at) =>
        Number.parseInt(derivedId(String(run), String(at)).slice(0, 4), 16) % (2 + (run % 9)) === 0
          ? 'a'
          : `p${at % 23}`,
      );
      const told = new Map<string, Set<string>>();
      const session = sessionOf(...people);
      people.forEach((subjectId, at) => {
        // What was named later is not known yet.
        const known = sessionOf(...people.slice(0, at + 1));
        for (const one of concernedBy(known, `${subjectId}-${at}`))
          told.set(one.requestId, new Set([...(told.get(one.requestId) ?? []), ...sharedWith(known, one.subjectId)]));
      });
      for (const { requestId, subjectId } of session.namedBy)
        expect([...(told.get(requestId) ?? [])].sort()).toEqual([...sharedWith(session, subjectId)].sort());
    }
  });

  it('shows at most 50 other requests, those of other people first', () => {
    const session = sessionOf(...Array.from({ length: 60 }, () => 'a'), 'b', 'c');
    const shown = othersNaming(session, { requestId: 'a-7', subjectId: 'a' });
    expect(idsOf(shown).slice(0, 3)).toEqual(['b-60', 'c-61', 'a-0']);
    expect(shown).toHaveLength(50);
    expect(idsOf(shown)).not.toContain('a-7');
  });
});
