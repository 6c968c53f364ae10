import type { AmountOf } from '@ponte/contracts';
import type { AssetId } from '@ponte/kernel';
import { Money } from '@ponte/kernel';

/** Sums the amounts of each asset. */
export function sumsByAsset(amounts: readonly AmountOf[]): AmountOf[] {
  const sums = new Map<AssetId, Money>();
  for (const { asset, amount } of amounts)
    sums.set(asset, (sums.get(asset) ?? Money.zero(asset)).plus(Money.stored(asset, amount)));
  return [...sums].map(([asset, sum]) => ({ asset, amount: sum.toString() }));
}
