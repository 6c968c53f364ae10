import { applicant, canariesOf } from './applicant';
import { filesIn, givenAway } from '../../testing/canaries';

/** A place where something personal was found in clear, and what. */
export type Leak = readonly [place: string, canaries: readonly string[]];

/** Which of the places contain one of the canaries. */
export const leaksIn = (places: readonly (readonly [string, string])[], canaries: readonly string[]) =>
  places.map(([place, text]) => [place, givenAway(text, canaries)] as const).filter(([, found]) => found.length > 0);

/** Where on a cluster that has stopped something personal of any of so many applicants stands in clear. */
export const leaksOf = (folder: string, applicants: number): readonly Leak[] =>
  leaksIn(
    filesIn(folder).map(({ name, text }) => [name, text] as const),
    [...new Set(Array.from({ length: applicants + 1 }, (_, at) => canariesOf(applicant(at))).flat())],
  );
