import { drained } from '@ponte/kernel';
import type { PersonMatch, ScreenedPerson } from './match-people.domain';
import { matchPeople as matchInSteps } from './match-people.domain';
import { NameIndexBuilder } from './name-index/name-index-builder.domain';
import type { NameIndex } from './name-index/name-index.domain';
import type { ListedPerson, NameQuality } from './watch-list.domain';

/** All matches at once; the service computes them in steps. */
export const matchPeople = (
  index: NameIndex,
  subject: ScreenedPerson,
  threshold: number,
  ...others: readonly NameIndex[]
): readonly PersonMatch[] => drained(matchInSteps([index, ...others], subject, threshold)).matches;

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

export const indexOf = (...people: readonly ListedPerson[]): NameIndex => indexOfList('un-consolidated', people);

export function indexOfList(list: string, people: readonly ListedPerson[]): NameIndex {
  const builder = new NameIndexBuilder(list);
  for (const one of people) builder.add(one);
  return drained(builder.build());
}

/** The matches of one name. */
export function screen(
  index: NameIndex,
  name: string,
  dateOfBirth: string | null = null,
  country = 'BRA',
  ...others: readonly NameIndex[]
): readonly PersonMatch[] {
  return matchPeople(index, { names: [name], dateOfBirth, country }, THRESHOLD, ...others);
}
