import { applicant, canariesOf } from './applicant';
import { filesIn, canariesIn } from '../../testing/canaries';

/** A place where personal values were found in clear text, and the values. */
export type Leak = readonly [place: string, canaries: readonly string[]];

/** Finds the places that contain one of the canaries. */
export const leaksIn = (places: readonly (readonly [string, string])[], canaries: readonly string[]) =>
  places.map(([place, text]) => [place, canariesIn(text, canaries)] as const).filter(([, found]) => found.length > 0);

/** Searches the files of a stopped cluster for personal values of the first applicants. */
export const leaksOf = (folder: string, applicants: number): readonly Leak[] =>
  leaksIn(
    filesIn(folder).map(({ name, text }) => [name, text] as const),
    [...new Set(Array.from({ length: applicants + 1 }, (_, at) => canariesOf(applicant(at))).flat())],
  );
