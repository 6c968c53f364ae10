import type { Provider } from '@nestjs/common';
import { CheckRefusedPayoutHandler } from './check-refused-payout.command';
import { CheckRefusedPayoutsHandler } from './check-refused-payouts.command';
import { ListRefusedPayoutsHandler } from './list-refused-payouts.query';
import { RefusedPayoutMetrics } from './refused-payout.metrics';
import { WhenRefusedPayoutPostedReportIt } from './when-refused-payout-posted-report-it.policy';

/** The providers for payouts that the bank refused or cancelled but may still make. */
export const REFUSED_PAYOUT_PROVIDERS: readonly Provider[] = [
  CheckRefusedPayoutHandler,
  CheckRefusedPayoutsHandler,
  ListRefusedPayoutsHandler,
  RefusedPayoutMetrics,
];
export const REFUSED_PAYOUT_POLICIES = [WhenRefusedPayoutPostedReportIt] as const;
