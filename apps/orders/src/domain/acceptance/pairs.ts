import type { PaymentMethod, SettlementKind } from '@ponte/contracts';
import type { AssetId, AssetSymbol } from '@ponte/kernel';
import { assetOf } from '@ponte/kernel';

/** What an order of a pair may look like. */
export interface PairRules {
  /** What happens on the chain; null when the pair cannot be ordered. */
  readonly settlement: SettlementKind | null;
  readonly paymentMethods: readonly PaymentMethod[];
  /** BRL may go to a third party's Pix key. */
  readonly pixKey: boolean;
  /** BRL against a currency that is not pegged to it: the target wallet must be whitelisted for FX. */
  readonly fx: boolean;
  /** The order must name the wallet that pays; for other tokens it defaults to the account's own wallet on the chain. */
  readonly sourceWalletRequired: boolean;
}

type Rules = Omit<PairRules, 'fx' | 'sourceWalletRequired'>;

const BOTH: readonly PaymentMethod[] = ['account-balance', 'brcode'];
const BALANCE: readonly PaymentMethod[] = ['account-balance'];

/** What BRL buys. */
const BOUGHT: Readonly<Partial<Record<AssetSymbol, Rules>>> = {
  BRLV: { settlement: 'mint', paymentMethods: BOTH, pixKey: false },
  wBRLY: { settlement: 'vault-deposit', paymentMethods: BALANCE, pixKey: false },
  USDC: { settlement: 'treasury-payment', paymentMethods: BOTH, pixKey: false },
  USDT: { settlement: 'treasury-payment', paymentMethods: BOTH, pixKey: false },
};

/** What is sold for BRL. A Pix key is for USDC and BRLV only, by the specification of orders. */
const SOLD: Readonly<Partial<Record<AssetSymbol, Rules>>> = {
  BRLV: { settlement: 'burn', paymentMethods: BALANCE, pixKey: true },
  wBRLY: { settlement: 'vault-redeem', paymentMethods: BALANCE, pixKey: false },
  USDC: { settlement: 'treasury-receipt', paymentMethods: BALANCE, pixKey: true },
  USDT: { settlement: 'treasury-receipt', paymentMethods: BALANCE, pixKey: false },
};

const UNSUPPORTED: Rules = { settlement: null, paymentMethods: BALANCE, pixKey: false };
const FOREIGN: ReadonlySet<AssetSymbol> = new Set(['USD', 'USDC', 'USDT']);
/** The tokens for which the specification requires a source wallet. */
const WALLET_REQUIRED: ReadonlySet<AssetId> = new Set(['eth-mainnet/brlv', 'eth-base/brlv', 'eth-base/wbrly']);

/** The rules of a pair; `settlement` is null when the two assets cannot be converted. */
export function rulesOf(source: AssetId, target: AssetId): PairRules {
  const from = assetOf(source).symbol;
  const to = assetOf(target).symbol;
  const rules = (from === 'BRL' ? BOUGHT[to] : to === 'BRL' ? SOLD[from] : undefined) ?? UNSUPPORTED;
  return {
    ...rules,
    fx: FOREIGN.has(from) || FOREIGN.has(to),
    sourceWalletRequired: WALLET_REQUIRED.has(source),
  };
}
