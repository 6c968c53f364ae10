import type { AssetId, AssetSymbol } from '@ponte/kernel';
import { assetOf, isToken } from '@ponte/kernel';
import type { PaymentMethod, SettlementKind } from '../orders/events';

const BRL: AssetId = 'fiat/brl';

/** Every token that is priced against BRL, in display order. */
export const PRICED_TOKENS: readonly AssetId[] = [
  'tempo/brlv',
  'eth-base/brlv',
  'eth-mainnet/brlv',
  'eth-base/wbrly',
  'eth-base/usdc',
  'eth-mainnet/usdc',
  'eth-base/usdt',
  'eth-mainnet/usdt',
];

/**
 * Source tokens for which, by the specification, an order must name the wallet. For other tokens it defaults to the
 * account's own wallet on that chain, or to another one that holds the whole amount.
 */
const SOURCE_WALLET_REQUIRED: readonly AssetId[] = ['eth-mainnet/brlv', 'eth-base/brlv', 'eth-base/wbrly'];

/** One direction of a conversion and the rules for its orders. */
export interface Pair {
  readonly source: AssetId;
  readonly target: AssetId;
  /** `same-currency`: both sides represent BRL. `fx`: needs a trade reason and may have a rate lock. */
  readonly conversion: 'same-currency' | 'fx';
  /** What an order of the pair does on a chain. */
  readonly settlement: SettlementKind;
  /** Whether the pair is offered: quoted and ordered. */
  readonly orderable: boolean;
  readonly paymentMethods: readonly PaymentMethod[];
  /** `optional`: the account's own wallet on the chain when absent. `none`: fiat money needs no wallet. */
  readonly sourceWallet: 'required' | 'optional' | 'none';
  readonly targetWallet: 'optional' | 'none';
  /** A target wallet that is not the account's own must be whitelisted for FX. */
  readonly fxWhitelist: boolean;
  /** BRL may be sent to the Pix key of a third party. */
  readonly pixKey: boolean;
}

/**
 * BRLV is issued and redeemed one to one, wBRLY is a share of a vault, and dollar tokens are traded with the treasury.
 */
function settlementOf(from: AssetSymbol, to: AssetSymbol): SettlementKind {
  const buys = from === 'BRL';
  switch (buys ? to : from) {
    case 'BRLV':
      return buys ? 'mint' : 'burn';
    case 'wBRLY':
      return buys ? 'vault-deposit' : 'vault-redeem';
    default:
      return buys ? 'treasury-payment' : 'treasury-receipt';
  }
}

function pair(source: AssetId, target: AssetId): Pair {
  const [from, to] = [assetOf(source).symbol, assetOf(target).symbol];
  const fx = [from, to].some((symbol) => symbol === 'USDC' || symbol === 'USDT');
  return {
    source,
    target,
    conversion: fx ? 'fx' : 'same-currency',
    settlement: settlementOf(from, to),
    orderable: true,
    paymentMethods: from === 'BRL' && to !== 'wBRLY' ? ['account-balance', 'brcode'] : ['account-balance'],
    sourceWallet: !isToken(source) ? 'none' : SOURCE_WALLET_REQUIRED.includes(source) ? 'required' : 'optional',
    targetWallet: isToken(target) ? 'optional' : 'none',
    fxWhitelist: fx && isToken(target),
    pixKey: from === 'USDC' || from === 'BRLV',
  };
}

/** All pairs with a price: BRL to each token, then each token to BRL. */
export const PAIRS: readonly Pair[] = [
  ...PRICED_TOKENS.map((token) => pair(BRL, token)),
  ...PRICED_TOKENS.map((token) => pair(token, BRL)),
];

/** The pairs that can be quoted and ordered. */
export const ORDERABLE_PAIRS: readonly Pair[] = PAIRS.filter(({ orderable }) => orderable);

// A map instead of an object, because the keys come from requests.
const BY_ASSETS: ReadonlyMap<string, Pair> = new Map(PAIRS.map((one) => [`${one.source} ${one.target}`, one]));

/** Undefined when the two assets have no price against each other. */
export const pairOf = (source: AssetId, target: AssetId): Pair | undefined => BY_ASSETS.get(`${source} ${target}`);
