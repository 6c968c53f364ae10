import type { Provider } from '@nestjs/common';
import type { Runtime } from '@ponte/nest';
import { RUNTIME } from '@ponte/nest';
import type { LedgerSettings } from '../ledger-settings.port';
import { LEDGER_SETTINGS } from '../ledger-settings.port';
import { AddressReviewMessages } from './address-review.controller';
import { AddressReviewMetrics } from './address-review.metrics';
import { AddressReviews } from './address-reviews.repository';
import type { AddressScreening } from './address-screening.port';
import { ADDRESS_SCREENING } from './address-screening.port';
import {
  GetAddressReviewHandler,
  ListAddressMatchesHandler,
  ListAddressReviewsHandler,
  ListWaitingAddressReviewsHandler,
  SearchAddressReviewsHandler,
} from './address-reviews.query';
import { DecideAddressReviewHandler } from './decide-address-review.command';
import { LocalAddressScreening } from './adapters/local.address-screening.adapter';
import { JudgeSender } from './judge-sender.service';
import { RefreshAddressesJob } from './refresh-addresses.job';
import { FindAddressHitsHandler, ScreenAddressHandler } from './screen-address.command';
import { WhenAddressReviewedAdvanceDeposit } from './when-address-reviewed-advance-deposit.policy';

/** Production needs a list if it accepts token withdrawals; the sandbox has a magic address. */
async function openScreening(
  { environment }: Runtime,
  { sanctionedAddressesFile: file, tokenWithdrawals }: LedgerSettings,
): Promise<AddressScreening> {
  if (file !== null) return LocalAddressScreening.open(file);
  if (environment === 'sandbox') return LocalAddressScreening.sandbox();
  if (tokenWithdrawals)
    throw new Error('LEDGER_SANCTIONED_ADDRESSES_FILE must name a list when token withdrawals are accepted');
  return LocalAddressScreening.none();
}

/** The providers that screen the addresses of every movement. */
export const ADDRESS_SCREENING_PROVIDERS: readonly Provider[] = [
  { provide: ADDRESS_SCREENING, useFactory: openScreening, inject: [RUNTIME, LEDGER_SETTINGS] },
  AddressReviews,
  JudgeSender,
  AddressReviewMetrics,
  RefreshAddressesJob,
  ScreenAddressHandler,
  FindAddressHitsHandler,
  DecideAddressReviewHandler,
  ListAddressReviewsHandler,
  GetAddressReviewHandler,
  SearchAddressReviewsHandler,
  ListAddressMatchesHandler,
  ListWaitingAddressReviewsHandler,
];
export const ADDRESS_SCREENING_CONTROLLERS = [AddressReviewMessages] as const;
export const ADDRESS_SCREENING_POLICIES = [WhenAddressReviewedAdvanceDeposit] as const;
