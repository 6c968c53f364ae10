import { Controller } from '@nestjs/common';
import {
  ConfirmSuspenseSettlement,
  ListDoubleReturns,
  ListFailedReturns,
  ProposeSuspenseSettlement,
  RejectSuspenseSettlement,
} from '@ponte/contracts';
import { forwardRequests } from '@ponte/nest';
import { ListDoubleReturnsQuery } from '../take-back/list-double-returns.query';
import { ListFailedReturnsQuery } from './list-failed-returns.query';
import {
  ConfirmSuspenseSettlementCommand,
  ProposeSuspenseSettlementCommand,
  RejectSuspenseSettlementCommand,
} from './settle-suspense.command';

/** Money in suspense and its settlement by two staff members, and money that left our bank twice. */
@Controller()
export class SuspenseMessages extends forwardRequests(
  [ListFailedReturns, ListFailedReturnsQuery],
  [ListDoubleReturns, ListDoubleReturnsQuery],
  [ProposeSuspenseSettlement, ProposeSuspenseSettlementCommand],
  [ConfirmSuspenseSettlement, ConfirmSuspenseSettlementCommand],
  [RejectSuspenseSettlement, RejectSuspenseSettlementCommand],
) {}
