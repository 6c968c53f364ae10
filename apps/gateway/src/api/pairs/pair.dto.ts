import type { PairRecord } from '@ponte/contracts';
import { ORDERABLE_PAIRS } from '@ponte/contracts';
import { assetOf } from '@ponte/kernel';
import { asset, flag, oneOf, text, whole } from '../../validation/field-types';
import { ListOf } from '../../validation/envelopes';
import { Required, RequiredObjects } from '../../validation/fields';
import { listOfWords } from '../../validation/list-field-types';

export class PairRateLockDto {
  @Required(text(1, 40), 'Name of the rate lock; it must be enabled for the account', '5m')
  name!: string;

  @Required(whole, 'How long a quote with it is valid, in seconds', 300)
  seconds!: number;
}

/** A conversion that can be quoted and ordered. */
export class PairDto {
  @Required(asset, 'Source asset', 'fiat/brl')
  'source-asset'!: string;

  @Required(asset, 'Target asset', 'eth-base/brlv')
  'target-asset'!: string;

  @Required(whole, 'Decimal places of source amounts', 2)
  'source-scale'!: number;

  @Required(whole, 'Decimal places of target amounts', 18)
  'target-scale'!: number;

  @Required(oneOf(['same-currency', 'fx']), 'fx requires a trade-reason and supports a rate-lock', 'same-currency')
  conversion!: string;

  @Required(listOfWords(1, ['account-balance', 'brcode']), 'Accepted values of source-payment-method', [
    'account-balance',
    'brcode',
  ])
  'payment-methods'!: string[];

  @Required(
    oneOf(['required', 'optional', 'none']),
    'Whether an order needs source-wallet-address. optional: if absent, a wallet of the account on that chain is used; none: the source is fiat money',
    'none',
  )
  'source-wallet'!: string;

  @Required(
    oneOf(['optional', 'none']),
    'Whether an order needs target-wallet-address. optional: if absent, the first wallet of the account on that chain is used; none: the target is fiat money',
    'optional',
  )
  'target-wallet'!: string;

  @Required(flag, "Whether a target wallet other than the account's own must be whitelisted for FX", false)
  'fx-whitelist-required'!: boolean;

  @Required(flag, 'Whether target-end-user-pix-key may be sent', false)
  'pix-key-allowed'!: boolean;

  @Required(whole, 'How long a quote without a rate lock is valid, in seconds', 900)
  'quote-validity-seconds'!: number;

  @RequiredObjects(() => PairRateLockDto, 'Rate locks that are offered; empty if there are none')
  'rate-locks'!: PairRateLockDto[];
}

export class PairsDto extends ListOf('pairs', () => PairDto, 'Every pair that can be quoted and ordered') {}

export const pairDto = (pair: PairRecord): PairDto => ({
  'source-asset': pair.source,
  'target-asset': pair.target,
  'source-scale': assetOf(pair.source).scale,
  'target-scale': assetOf(pair.target).scale,
  conversion: pair.conversion,
  'payment-methods': [...pair.paymentMethods],
  'source-wallet': pair.sourceWallet,
  'target-wallet': pair.targetWallet,
  'fx-whitelist-required': pair.fxWhitelist,
  'pix-key-allowed': pair.pixKey,
  'quote-validity-seconds': pair.validitySeconds,
  'rate-locks': pair.rateLocks.map(({ name, seconds }) => ({ name, seconds })),
});

const SAME_CURRENCY_VALIDITY = { validitySeconds: 900, rateLocks: [] };

/** The pairs of the shared table. The fx pairs have the usual validity of one minute. */
export const PAIRS_EXAMPLE: PairsDto = {
  pairs: ORDERABLE_PAIRS.map((pair) =>
    pairDto({
      ...pair,
      ...(pair.conversion === 'fx'
        ? { validitySeconds: 60, rateLocks: [{ name: '5m', seconds: 300 }] }
        : SAME_CURRENCY_VALIDITY),
    }),
  ),
};
