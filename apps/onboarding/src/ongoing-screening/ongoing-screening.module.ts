import type { Provider } from '@nestjs/common';
import { ScreenAgainHandler } from './screen-again.command';
import { ScreenedCases } from './screened-cases';
import { ScreeningRoundJob } from './screening-round.job';
import { ScreeningRounds } from './screening-rounds';

/** The providers that screen people again. */
export const ONGOING_SCREENING_PROVIDERS: readonly Provider[] = [
  ScreenAgainHandler,
  ScreenedCases,
  ScreeningRoundJob,
  ScreeningRounds,
];
