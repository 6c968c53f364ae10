import type { Provider } from '@nestjs/common';
import {
  FailSuspenseSendingHandler,
  HasSuspenseSendingEndedHandler,
  ListStartedSuspenseSendingsHandler,
  ProposeSuspenseSendingHandler,
  SettleSuspenseSendingHandler,
} from './sending.command';
import { SuspenseSendingMessages } from './sending.controller';
import { SuspenseSendings } from './sendings.service';
import { WhenMovementEndedSettleSending } from './when-movement-ended-settle-sending.policy';

/** The providers for sending tokens that are in suspense. */
export const SUSPENSE_SENDING_PROVIDERS: readonly Provider[] = [
  SuspenseSendings,
  ProposeSuspenseSendingHandler,
  SettleSuspenseSendingHandler,
  FailSuspenseSendingHandler,
  HasSuspenseSendingEndedHandler,
  ListStartedSuspenseSendingsHandler,
];
export const SUSPENSE_SENDING_POLICIES = [WhenMovementEndedSettleSending] as const;
export const SUSPENSE_SENDING_CONTROLLERS = [SuspenseSendingMessages] as const;
