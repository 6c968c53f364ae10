import type { AssetId } from '@ponte/kernel';
import type { LedgerSettings } from '../ledger-settings.port';
import type { DailyLimit } from './daily-allowance.decider';

const NO_LIMIT: DailyLimit = { amount: null, count: null };

/** The daily limit of withdrawals of an asset. */
export const limitOf = (settings: LedgerSettings, asset: AssetId): DailyLimit =>
  settings.withdrawalLimits[asset] ?? NO_LIMIT;
