import type { Provider } from '@nestjs/common';
import { ReadRefusedPayoutHandler } from './read-refused-payout.command';
import { ReadRefusedPayoutsHandler } from './read-refused-payouts.command';
import { RefusedPayoutMetrics } from './refused-payout-metrics';
import { WhenRefusedPayoutPostedReportIt } from './when-refused-payout-posted-report-it.policy';

/** The providers for payouts that the bank refused or cancelled but may still make. */
export const REFUSED_PAYOUT_PROVIDERS: readonly Provider[] = [
  ReadRefusedPayoutHandler,
  ReadRefusedPayoutsHandler,
  RefusedPayoutMetrics,
];
export const REFUSED_PAYOUT_POLICIES = [WhenRefusedPayoutPostedReportIt] as const;
