import type { PlaceOrderPayload } from '@ponte/contracts';
import type { Violation } from '@ponte/kernel';
import { PIX_KEY_FORM, evmAddressViolations, violation } from '@ponte/kernel';

/* The violations of an acceptance, each with the path of the request field that it concerns. */

export const ACCESS_DENIED = violation('account-access-denied', '', 'the API key has no access to this account');
export const NOT_ACTIVE = violation('account-not-active', '', 'the account is not active');
export const QUOTE_NOT_FOUND = violation('quote-not-found', 'quote-id', 'there is no such quote for this account');
export const PAIR_NOT_SUPPORTED = violation(
  'asset-pair-not-supported',
  'quote-id',
  'this asset pair cannot be converted; GET /api/v1/pairs lists those that can',
);
export const METHOD_NOT_ALLOWED = violation(
  'payment-method-not-allowed-for-pair',
  'source-payment-method',
  'this payment method is not allowed for the pair of the quote',
);
export const PIX_KEY_NOT_ALLOWED = violation(
  'pix-key-not-allowed-for-pair',
  'target-end-user-pix-key',
  'must be left out: only conversions from USDC or BRLV to BRL accept a Pix key',
);
export const SOURCE_WALLET_REQUIRED = violation(
  'source-wallet-required',
  'source-wallet-address',
  'is required: it names the wallet that holds the source tokens',
);
export const TARGET_WALLET_REQUIRED = violation(
  'target-wallet-required',
  'target-wallet-address',
  'is required, because the account has no wallet on the chain of the target asset',
);
export const TARGET_WALLET_NOT_WHITELISTED = violation(
  'wallet-not-allowed',
  'target-wallet-address',
  'the address is neither a wallet of the account nor whitelisted for it',
);
export const PAY_LATER_NOT_ENABLED = violation(
  'pay-after-acceptance-not-enabled',
  'source-payment-method',
  'the account may not pay for this pair by Pix code; pay from the balance',
);
export const SOURCE_WALLET_NOT_OWNED = violation(
  'wallet-not-allowed',
  'source-wallet-address',
  'the source wallet must be a wallet of the account on the chain of the source asset',
);
export const ACCOUNT_HAS_NO_SOURCE_WALLET = violation(
  'source-wallet-required',
  'source-wallet-address',
  'the account has no wallet on the chain of the source asset, so it cannot sell this token: ' +
    'create a wallet and fund it first',
);
export const SOURCE_WALLET_LACKS_TOKENS = violation(
  'insufficient-balance',
  'source-wallet-address',
  'the source wallet holds less than the source amount, or other orders, transfers and withdrawals take its tokens: ' +
    'name a wallet that holds all of it, or transfer tokens to it first',
);
export const NO_WALLET_HOLDS_THE_AMOUNT = violation(
  'insufficient-balance',
  'source-wallet-address',
  'no wallet of the account holds the whole source amount beside what other orders, transfers and withdrawals take: ' +
    'transfer the tokens to one wallet first, or sell less',
);
export const SOURCE_WALLET_NOT_ALLOWED = violation(
  'wallet-not-allowed',
  'source-wallet-address',
  'must be left out: the order is paid in BRL, from the balance or by Pix',
);
export const TARGET_WALLET_NOT_ALLOWED = violation(
  'wallet-not-allowed',
  'target-wallet-address',
  'must be left out: the order delivers BRL, to the balance or to target-end-user-pix-key',
);
export const INVALID_PIX_KEY = violation('invalid-pix-key', 'target-end-user-pix-key', PIX_KEY_FORM);
export const PIX_KEY_NOT_FOUND = violation(
  'pix-key-not-found',
  'target-end-user-pix-key',
  'the Pix key is not registered',
);
export const PIX_KEY_OF_ANOTHER_OWNER = violation(
  'pix-key-tax-id-mismatch',
  'target-end-user-pix-key',
  "the tax id of the Pix key's owner differs from that of the account's holder",
);
export const TARGET_WALLET_OF_ANOTHER_ACCOUNT = violation(
  'wallet-not-allowed',
  'target-wallet-address',
  'the address is the wallet of another account; name a wallet of the account, then transfer the tokens',
);
export const ABOVE_MAXIMUM = violation(
  'amount-above-maximum',
  'quote-id',
  'the quote is for more tokens than one transaction may move; request a quote for fewer',
);
export const WALLET_NOT_FX_WHITELISTED = violation(
  'wallet-not-fx-whitelisted',
  'target-wallet-address',
  'the address is not whitelisted for FX',
);

/** The violations of a request that can be known without its quote, in rule order. */
export const formViolations = ({
  targetEndUserPixKey,
  sourceWalletAddress,
  targetWalletAddress,
}: PlaceOrderPayload) => [
  ...(targetEndUserPixKey === 'invalid' ? [INVALID_PIX_KEY] : []),
  ...evmAddressViolations(sourceWalletAddress, 'source-wallet-address'),
  ...evmAddressViolations(targetWalletAddress, 'target-wallet-address'),
];

/**
 * All violations of an order that is refused. If the balance of the account does not cover it, no wallet does, and to
 * move tokens to one wallet would not help: only the balance is reported.
 */
export function withFunding(violations: readonly Violation[], ofFunding: readonly Violation[]): readonly Violation[] {
  const isUncovered = ofFunding.some(({ code }) => code === NO_WALLET_HOLDS_THE_AMOUNT.code);
  const others = violations.filter(
    (one) => !isUncovered || (one !== NO_WALLET_HOLDS_THE_AMOUNT && one !== SOURCE_WALLET_LACKS_TOKENS),
  );
  return [...others, ...ofFunding];
}
