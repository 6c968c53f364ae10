import type { Pair } from '@ponte/contracts';
import { pairOf } from '@ponte/contracts';
import type { AssetId } from '@ponte/kernel';

/** What an order of a pair may look like. */
export type PairRules = Pick<
  Pair,
  'conversion' | 'orderable' | 'paymentMethods' | 'sourceWallet' | 'pixKey' | 'fxWhitelist'
>;

const UNKNOWN: PairRules = {
  conversion: 'same-currency',
  orderable: false,
  paymentMethods: ['account-balance'],
  sourceWallet: 'none',
  pixKey: false,
  fxWhitelist: false,
};

/** The rules of the table of pairs; a pair that is not in it cannot be ordered. */
export const rulesOf = (source: AssetId, target: AssetId): PairRules => pairOf(source, target) ?? UNKNOWN;
