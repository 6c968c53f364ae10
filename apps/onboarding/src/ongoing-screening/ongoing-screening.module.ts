import type { Provider } from '@nestjs/common';
import { AccountFindings } from './account-findings';
import { Findings } from './findings';
import { FindingMessages } from './findings.controller';
import { ListScreeningFindingsHandler, SearchScreeningFindingsHandler } from './findings.query';
import { FollowFindings } from './follow-findings';
import { JudgeScreeningFindingHandler, OpenScreeningFindingHandler } from './judge-finding.command';
import { OngoingScreeningMetrics } from './ongoing-screening.metrics';
import { RaiseFindings } from './raise-findings';
import { ScreenAgainHandler } from './screen-again.command';
import { ScreenPerson } from './screen-person';
import { ScreenedCases } from '../screening-round/screened-cases';
import { ScreeningNoticeListener } from '../screening-notice/listen-to-notices';
import { ScreeningRoundJob } from '../screening-round/screening-round.job';
import { ScreeningRounds } from '../screening-round/screening-rounds';

/** The providers that screen people again, and handle what is found. */
export const ONGOING_SCREENING_PROVIDERS: readonly Provider[] = [
  AccountFindings,
  Findings,
  FollowFindings,
  OngoingScreeningMetrics,
  JudgeScreeningFindingHandler,
  ListScreeningFindingsHandler,
  OpenScreeningFindingHandler,
  RaiseFindings,
  ScreenAgainHandler,
  ScreenPerson,
  ScreenedCases,
  ScreeningNoticeListener,
  ScreeningRoundJob,
  ScreeningRounds,
  SearchScreeningFindingsHandler,
];
export const ONGOING_SCREENING_CONTROLLERS = [FindingMessages] as const;
