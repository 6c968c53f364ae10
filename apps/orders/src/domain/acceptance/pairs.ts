import type { PaymentMethod } from '@ponte/contracts';
import type { AssetId } from '@ponte/kernel';
import { assetOf, isToken } from '@ponte/kernel';

/** What an order of a pair may look like. */
export interface PairRules {
  /** Orders of the pair are carried out; the others can be quoted alone so far. */
  readonly executable: boolean;
  readonly paymentMethods: readonly PaymentMethod[];
  /** BRL may go to the Pix key of a third party. */
  readonly pixKey: boolean;
  /** BRL against a currency that does not follow it: the target wallet must be whitelisted for FX. */
  readonly fx: boolean;
}

/** The dollar tokens and what an order may pay them with or be paid into, by the specification's order fields. */
export function rulesOf(source: AssetId, target: AssetId): PairRules {
  const from = assetOf(source).symbol;
  const to = assetOf(target).symbol;
  const fx = [from, to].some((symbol) => symbol === 'USDC' || symbol === 'USDT' || symbol === 'USD');
  const buys = from === 'BRL' && isToken(target);
  return {
    executable: from === 'BRL' && to === 'BRLV',
    paymentMethods: buys && (to === 'BRLV' || to === 'USDC') ? ['account-balance', 'brcode'] : ['account-balance'],
    pixKey: to === 'BRL' && (from === 'USDC' || from === 'BRLV'),
    fx,
  };
}
