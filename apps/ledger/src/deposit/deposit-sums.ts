import type { AmountOf, DepositRecord } from '@ponte/contracts';
import type { AssetId } from '@ponte/kernel';
import { Money } from '@ponte/kernel';

/** The sum of each asset. */
export function sumsOf(records: readonly DepositRecord[]): AmountOf[] {
  const sums = new Map<AssetId, Money>();
  for (const { asset, amount } of records)
    sums.set(asset, (sums.get(asset) ?? Money.zero(asset)).plus(Money.stored(asset, amount)));
  return [...sums].map(([asset, sum]) => ({ asset, amount: sum.toString() }));
}
