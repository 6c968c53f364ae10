import type { Provider } from '@nestjs/common';
import { DepositMetrics } from './deposit.metrics';
import { ReceiveArrivalsHandler, SettleArrivalsHandler } from './receive-arrivals.command';
import { WhenTransfersSettledSettleDeposits } from './when-transfers-settled-settle-deposits.policy';
import { WhenTransfersSeenCreateDeposits } from './when-transfers-seen-create-deposits.policy';

/** The providers that receive tokens from outside. */
export const TOKEN_DEPOSIT_PROVIDERS: readonly Provider[] = [
  ReceiveArrivalsHandler,
  SettleArrivalsHandler,
  DepositMetrics,
];
export const TOKEN_DEPOSIT_POLICIES = [WhenTransfersSeenCreateDeposits, WhenTransfersSettledSettleDeposits] as const;
