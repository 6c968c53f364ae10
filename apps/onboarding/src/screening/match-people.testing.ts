import type { PersonMatch } from './match-people.domain';
import { matchPeople as matchInSteps } from './match-people.domain';
import { NameIndex } from './name-index.domain';
import { drained } from './steps.domain';
import type { ListedPerson, NameQuality } from './watch-list.domain';

/** All matches at once; the service computes them in steps. */
export const matchPeople = (...given: Parameters<typeof matchInSteps>): readonly PersonMatch[] =>
  drained(matchInSteps(...given));

export const THRESHOLD = 80;

/** A listed person: the first name is the main one, the others are aliases. */
export function person(
  entryId: string,
  names: readonly (string | [string, NameQuality])[],
  more: Partial<ListedPerson> = {},
): ListedPerson {
  const listed = names.map((name, i) =>
    typeof name === 'string'
      ? { text: name, quality: i === 0 ? ('name' as const) : ('alias' as const) }
      : { text: name[0], quality: name[1] },
  );
  return { entryId, names: listed, births: [], nationalities: [], countries: [], ...more };
}

export function indexOf(...people: readonly ListedPerson[]): NameIndex {
  const index = new NameIndex();
  for (const one of people) index.add('un-consolidated', one);
  return index;
}

/** The matches of one name. */
export function screen(
  index: NameIndex,
  name: string,
  dateOfBirth: string | null = null,
  country = 'BRA',
): readonly PersonMatch[] {
  return matchPeople(index, { names: [name], dateOfBirth, country }, THRESHOLD);
}
