import type { AssetId } from '@ponte/kernel';
import { assetOf, isToken } from '@ponte/kernel';
import type { LedgerSettings } from '../ledger-settings.port';
import type { DailyLimit } from './daily-allowance.decider';

/** The daily limit of withdrawals of an asset. */
export function limitOf({ withdrawalLimits }: Pick<LedgerSettings, 'withdrawalLimits'>, asset: AssetId): DailyLimit {
  const { amount, count } = withdrawalLimits[asset] ?? { amount: null, count: null };
  return { amount, count: count ?? countOf(asset) };
}

/** Each withdrawal of tokens costs the gas of a transaction, which Ponte pays; most on eth-mainnet. */
function countOf(asset: AssetId): number | null {
  if (!isToken(asset)) return null;
  return assetOf(asset).chain === 'eth-mainnet' ? 100 : 1_000;
}
