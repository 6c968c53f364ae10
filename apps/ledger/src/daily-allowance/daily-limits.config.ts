import type { Setting, SettingsReader } from '@ponte/kernel';
import { assetOf, isAssetId, parseDecimal } from '@ponte/kernel';
import type { LedgerSettings } from '../ledger-settings.port';

export const WITHDRAWAL_LIMITS: Setting = {
  name: 'LEDGER_WITHDRAWAL_LIMITS',
  meaning:
    'what an account may withdraw per day (São Paulo time): comma-separated `asset=amount`, `asset=amount/count` ' +
    'or `asset=/count`; an asset without an amount has no limit of the amount; without a count, a token has 1,000 ' +
    'withdrawals, on eth-mainnet 100, and another asset has no limit of the count',
  default: 'fiat/brl=1000000.00/10000',
};

/** Throws an error that names the variable if its value is invalid. */
export function readWithdrawalLimits(settings: SettingsReader): LedgerSettings['withdrawalLimits'] {
  const { name } = WITHDRAWAL_LIMITS;
  return Object.fromEntries(
    settings.list(name).map((word) => {
      const [, asset, amount = '', count] = /^([a-z-]+\/[a-z]+)=([0-9.]*)(?:\/(\d+))?$/.exec(word) ?? [];
      const onlyCounts = amount === '' && count !== undefined;
      const decimal = onlyCounts ? { scale: 0 } : parseDecimal(amount);
      if (!isAssetId(asset) || decimal === undefined)
        throw new Error(`${name}: ${word} is not asset=amount, asset=amount/count or asset=/count`);
      const { scale } = assetOf(asset);
      if (decimal.scale > scale)
        throw new Error(`${name}: an amount of ${asset} must have at most ${scale} decimal places`);
      return [asset, { amount: onlyCounts ? null : amount, count: count === undefined ? null : Number(count) }];
    }),
  );
}
