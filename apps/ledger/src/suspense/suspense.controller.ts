import { Controller } from '@nestjs/common';
import {
  ConfirmSuspenseSettlement,
  GetFailedReturn,
  ListDoubleReturns,
  ListFailedReturns,
  ProposeSuspenseSettlement,
  RejectSuspenseSettlement,
} from '@ponte/contracts';
import { forwardRequests } from '@ponte/nest';
import { ListDoubleReturnsQuery } from '../take-back/list-double-returns.query';
import { GetFailedReturnQuery } from './get-failed-return.query';
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
  [GetFailedReturn, GetFailedReturnQuery],
  [ListDoubleReturns, ListDoubleReturnsQuery],
  [ProposeSuspenseSettlement, ProposeSuspenseSettlementCommand],
  [ConfirmSuspenseSettlement, ConfirmSuspenseSettlementCommand],
  [RejectSuspenseSettlement, RejectSuspenseSettlementCommand],
) {}
