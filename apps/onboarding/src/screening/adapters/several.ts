import type { Screening, ScreeningResult, ScreeningSubject } from '../screening.port';

/** Asks all of them, for instance the lists here and a vendor; one that cannot tell makes the whole unknown. */
export function severalScreenings(...all: readonly Screening[]): Screening {
  return {
    async screen(subject: ScreeningSubject): Promise<ScreeningResult> {
      const results = await Promise.all(all.map((one) => one.screen(subject)));
      return { hits: results.flatMap(({ hits }) => hits) };
    },
  };
}
