import type { Provider } from '@nestjs/common';
import { BlockReturns } from '../returns/block-returns.service';
import { StoppedPayers } from '../returns/stopped-payers.service';
import { ListDueReturnsHandler } from '../returns/list-due-returns.query';
import { ReturnMetrics } from '../returns/return.metrics';
import { ListDoubleReturnsHandler } from '../take-back/list-double-returns.query';
import { GetFailedReturnHandler } from './get-failed-return.query';
import { ListFailedReturnsHandler } from './list-failed-returns.query';
import {
  ConfirmSuspenseSettlementHandler,
  ProposeSuspenseSettlementHandler,
  RejectSuspenseSettlementHandler,
} from './settle-suspense.command';
import { SettlementReferences, SettlementReferenceStreams } from './settlement-references.repository';
import { SuspenseMessages } from './suspense.controller';
import { SuspenseMetrics } from './suspense.metrics';

/** The providers for returns, for money in suspense, and for money that left our bank twice. */
export const SUSPENSE_PROVIDERS: readonly Provider[] = [
  SettlementReferenceStreams,
  SettlementReferences,
  SuspenseMetrics,
  ListFailedReturnsHandler,
  GetFailedReturnHandler,
  ListDoubleReturnsHandler,
  ReturnMetrics,
  BlockReturns,
  StoppedPayers,
  ListDueReturnsHandler,
  ProposeSuspenseSettlementHandler,
  ConfirmSuspenseSettlementHandler,
  RejectSuspenseSettlementHandler,
];
export const SUSPENSE_CONTROLLERS = [SuspenseMessages] as const;
