import type { AssetId, Violation } from '@ponte/kernel';
import { Money, assetOf, isAssetId, isToken, parseDecimal, violation } from '@ponte/kernel';

/**
 * The least that an account may transfer or withdraw of a token, as decimal strings. Other tokens have their default.
 * Each transaction is paid by an operator key, whatever it moves.
 */
export type MinimumAmounts = Readonly<Partial<Record<AssetId, string>>>;

const ONE_UNIT = '1';
/** Transactions on eth-mainnet cost more than those on other chains. */
const ON_MAINNET = '10';

export const minimumOf = (minimums: MinimumAmounts, asset: AssetId): Money =>
  Money.parse(asset, minimums[asset] ?? (assetOf(asset).chain === 'eth-mainnet' ? ON_MAINNET : ONE_UNIT));

/** The violation of an amount below the minimum of its token, if it is. */
export function minimumViolations(money: Money, minimums: MinimumAmounts): Violation[] {
  const least = minimumOf(minimums, money.asset);
  return money.compare(least) < 0 ? [below(`must be at least ${textOf(least)}`)] : [];
}

/**
 * The same for a withdrawal, which may also take the whole `available` balance if that is at least one unit. What
 * remains below one unit can be written off when the account is closed, so no amount keeps an account open.
 */
export function withdrawalMinimumViolations(money: Money, available: Money, minimums: MinimumAmounts): Violation[] {
  const least = minimumOf(minimums, money.asset);
  const one = Money.parse(money.asset, ONE_UNIT);
  if (least.compare(one) <= 0) return minimumViolations(money, minimums);
  if (money.compare(least) >= 0 || (money.equals(available) && money.compare(one) >= 0)) return [];
  return [below(`must be at least ${textOf(least)}, or the whole available balance from ${one.toString()} on`)];
}

const below = (message: string): Violation => violation('amount-below-minimum', 'amount', message);

const textOf = (money: Money): string => `${money.toString()} of ${money.asset}`;

/** Reads `asset=amount` words. Throws an Error that names the invalid word. */
export function parseMinimumAmounts(words: readonly string[]): MinimumAmounts {
  return Object.fromEntries(
    words.map((word) => {
      const [asset = '', amount = '', ...more] = word.split('=');
      const decimal = parseDecimal(amount);
      if (!isAssetId(asset) || !isToken(asset) || decimal === undefined || more.length > 0)
        throw new Error(`${word} is not asset=amount with the asset of a token`);
      const { scale } = assetOf(asset);
      if (decimal.scale > scale) throw new Error(`an amount of ${asset} must have at most ${scale} decimal places`);
      if (!Money.parse(asset, amount).isPositive()) throw new Error(`the amount of ${asset} must be greater than zero`);
      return [asset, amount];
    }),
  );
}
