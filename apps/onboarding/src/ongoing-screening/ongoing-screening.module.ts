import type { Provider } from '@nestjs/common';
import { AccountFindings } from './account-findings.service';
import { Findings } from './findings.service';
import { FindingMessages } from './findings.controller';
import { ListScreeningFindingsHandler, SearchScreeningFindingsHandler } from './findings.query';
import { FollowFindings } from './follow-findings.service';
import { JudgeScreeningFindingHandler, OpenScreeningFindingHandler } from './judge-finding.command';
import { OngoingScreeningMetrics } from './ongoing-screening.metrics';
import { RaiseFindings } from './raise-findings.service';
import { ScreenAgainHandler } from './screen-again.command';
import { ScreenPerson } from './screen-person.service';
import { ScreenedCases } from '../screening-round/screened-cases.service';
import { ScreeningNoticeListener } from '../screening-notice/listen-to-notices.service';
import { ScreeningRoundJob } from '../screening-round/screening-round.job';
import { ScreeningRounds } from '../screening-round/screening-rounds.service';

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
