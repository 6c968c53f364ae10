import { Controller } from '@nestjs/common';
import {
  FailSuspenseSending,
  HasSuspenseSendingEnded,
  ListStartedSuspenseSendings,
  ProposeSuspenseSending,
} from '@ponte/contracts';
import { forwardRequests } from '@ponte/nest';
import {
  FailSuspenseSendingCommand,
  HasSuspenseSendingEndedQuery,
  ListStartedSuspenseSendingsQuery,
  ProposeSuspenseSendingCommand,
} from './sending.command';

/** Tokens in suspense, which staff send to an address. */
@Controller()
export class SuspenseSendingMessages extends forwardRequests(
  [ProposeSuspenseSending, ProposeSuspenseSendingCommand],
  [FailSuspenseSending, FailSuspenseSendingCommand],
  [HasSuspenseSendingEnded, HasSuspenseSendingEndedQuery],
  [ListStartedSuspenseSendings, ListStartedSuspenseSendingsQuery],
) {}
