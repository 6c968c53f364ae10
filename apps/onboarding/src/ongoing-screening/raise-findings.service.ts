import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@ponte/event-sourcing';
import { SubjectErased } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import type { Person } from '../person/person.decider';
import { Persons } from '../person/persons.service';
import type { RequestOfPerson } from '../screening/known-hits.domain';
import { clearedHits, confirmedHits } from '../screening/known-hits.domain';
import { PersonFindings } from '../screening/person-findings.service';
import { PersonMatches } from '../screening/person-matches.service';
import type { ScreeningMatch } from '../screening/screening.port';
import { shownMatches } from '../screening/shown-matches.domain';
import type { ScreenedPerson } from './new-findings.domain';
import { newFindings, newlyConfirmed, withOthers } from './new-findings.domain';

/** Opens findings about people of accounts. */
@Injectable()
export class RaiseFindings {
  constructor(
    private readonly persons: Persons,
    private readonly known: PersonFindings,
    private readonly matches: PersonMatches,
  ) {}

  /**
   * Opens a finding for each new match that {@link shownMatches} lets through, and for each true match in a request or
   * another account of the person. Returns how many are new. Repeating it changes nothing.
   *
   * @param requests all requests of the person, if they have been read
   */
  async raise(
    screened: ScreenedPerson,
    search: () => Promise<readonly ScreeningMatch[]>,
    { source, listsVersion }: { readonly source: string; readonly listsVersion: string },
    context: RequestContext,
    requests?: readonly RequestOfPerson[],
  ): Promise<number> {
    const { subjectId, accountId, person: role } = screened;
    return this.unlessErased(subjectId, async (person) => {
      const [matches, known] = await Promise.all([search(), requests ?? this.known.requestsOf(subjectId, person)]);
      const confirmed = confirmedHits(known);
      const carried = newlyConfirmed(person.findings, screened, confirmed);
      if (matches.length + carried.length === 0) return 0;
      const cleared = clearedHits(known);
      const open = person.findings.filter((one) => one.accountId === accountId && one.status === 'open');
      const shown = shownMatches(newFindings(person.findings, screened, matches, cleared), {
        open: open.map(({ hit }) => hit),
      });
      // Staff may already know that more entries match.
      const found = newFindings(person.findings, screened, shown, cleared);
      if (found.length + carried.length === 0) return 0;
      const hits = await this.matches.sealed(subjectId, found);
      const commandId = derivedId('screen-again', source, accountId, role);
      const command = { kind: 'raise-findings', ...screened, hits, cleared, confirmed, listsVersion } as const;
      await this.persons.handle(subjectId, (at) => ({ ...command, at }), { ...context, commandId });
      return withOthers(hits, carried).length;
    });
  }

  /** Zero for an erased person, even if the erasure happens meanwhile. */
  async unlessErased(subjectId: string, screen: (person: Person) => Promise<number>): Promise<number> {
    const person = await this.persons.load(subjectId);
    if (person.isKeyDestroyed) return 0;
    try {
      return await screen(person);
    } catch (error) {
      if (error instanceof SubjectErased) return 0;
      throw error;
    }
  }
}
