import type { Failure } from '@ponte/contracts';

/** Why a brcode order ends without tokens; the words that its owner reads. */
export type ChargeFailureCode = 'brcode-expired' | 'paid-late' | 'amount-mismatch' | 'payer-tax-id-mismatch';

const MESSAGES: Readonly<Record<ChargeFailureCode, string>> = {
  'brcode-expired': 'the brcode was not paid before its expiration',
  'paid-late': 'the brcode was paid after its expiration; the payment is returned',
  'amount-mismatch': 'the payment was not of the exact amount; it is returned',
  'payer-tax-id-mismatch': 'the payer is not the holder of the account; the payment is returned',
};

/** Retryable: a new quote and a new order may well succeed. */
export const chargeFailure = (code: ChargeFailureCode): Failure => ({ code, message: MESSAGES[code], retryable: true });

/** The transaction failed for good and moved nothing; a new order may well succeed. */
export const NOT_SETTLED: Failure = {
  code: 'settlement-failed',
  message: 'the transaction on the chain failed; nothing was moved',
  retryable: true,
};

/** The treasury did not hold enough of the token in time. */
export const NO_LIQUIDITY: Failure = {
  code: 'liquidity-unavailable',
  message: 'the treasury could not deliver the token in time; the funds are released',
  retryable: true,
};

/** The external wallet may not be sent to. */
export const TARGET_REFUSED: Failure = {
  code: 'compliance',
  message: 'the order was not accepted; the funds are released',
  retryable: false,
};
