import { Controller } from '@nestjs/common';
import {
  ConfirmSuspenseSettlement,
  ListFailedReturns,
  ProposeSuspenseSettlement,
  RejectSuspenseSettlement,
} from '@ponte/contracts';
import { forwardRequests } from '@ponte/nest';
import { ListFailedReturnsQuery } from './list-failed-returns.query';
import {
  ConfirmSuspenseSettlementCommand,
  ProposeSuspenseSettlementCommand,
  RejectSuspenseSettlementCommand,
} from './settle-suspense.command';

/** Money in suspense, and its settlement by two staff members. */
@Controller()
export class SuspenseMessages extends forwardRequests(
  [ListFailedReturns, ListFailedReturnsQuery],
  [ProposeSuspenseSettlement, ProposeSuspenseSettlementCommand],
  [ConfirmSuspenseSettlement, ConfirmSuspenseSettlementCommand],
  [RejectSuspenseSettlement, RejectSuspenseSettlementCommand],
) {}
