import type { Provider } from '@nestjs/common';
import { DepositMetrics } from './deposit-metrics';
import { GetAnyDepositHandler, GetUncreditedTokensHandler, ListAllDepositsHandler } from './any-deposit.query';
import { ReceiveArrivalsHandler, SettleArrivalsHandler } from './receive-arrivals.command';
import { TokenDepositMessages } from './token-deposit.controller';
import { WhenTransfersConfirmedConfirmDeposits } from './when-transfers-confirmed-confirm-deposits.policy';
import { WhenTransfersFinalizedCreditDeposits } from './when-transfers-finalized-credit-deposits.policy';
import { WhenTransfersReorgedVoidDeposits } from './when-transfers-reorged-void-deposits.policy';
import { WhenTransfersSeenCreateDeposits } from './when-transfers-seen-create-deposits.policy';

/** The part of the ledger that takes tokens from outside in. */
export const TOKEN_DEPOSIT_PROVIDERS: readonly Provider[] = [
  ReceiveArrivalsHandler,
  SettleArrivalsHandler,
  ListAllDepositsHandler,
  GetAnyDepositHandler,
  GetUncreditedTokensHandler,
  DepositMetrics,
];
export const TOKEN_DEPOSIT_CONTROLLERS = [TokenDepositMessages] as const;
export const TOKEN_DEPOSIT_POLICIES = [
  WhenTransfersSeenCreateDeposits,
  WhenTransfersConfirmedConfirmDeposits,
  WhenTransfersFinalizedCreditDeposits,
  WhenTransfersReorgedVoidDeposits,
] as const;
