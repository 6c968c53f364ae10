import { derivedId } from '@ponte/kernel';
import type { Screening, ScreeningResult, ScreeningSubject } from '../screening.port';

/** Screens with several matchers, for instance local lists and a vendor. If one fails, the whole screening fails. */
export function severalScreenings(...all: readonly Screening[]): Screening {
  return {
    async screen(subject: ScreeningSubject): Promise<ScreeningResult> {
      const results = await Promise.all(all.map((one) => one.screen(subject)));
      return { hits: results.flatMap(({ hits }) => hits) };
    },
    listsVersion: () => derivedId('screening-lists', ...all.map((one) => one.listsVersion())),
  };
}
