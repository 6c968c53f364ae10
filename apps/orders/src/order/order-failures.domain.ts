import type { Failure } from '@ponte/contracts';
import { RETRYABLE_PAYMENT_FAILURES } from '@ponte/contracts';

/** The failure codes of a brcode order whose charge was not paid correctly. */
export type ChargeFailureCode = 'brcode-expired' | 'paid-late' | 'amount-mismatch' | 'payer-tax-id-mismatch';

const MESSAGES: Readonly<Record<ChargeFailureCode, string>> = {
  'brcode-expired': 'The Pix code was not paid before it expired.',
  'paid-late': 'The Pix code was paid after it had expired. The payment is returned.',
  'amount-mismatch': 'The payment did not have the exact amount. It is returned.',
  'payer-tax-id-mismatch': 'The payer is not the holder of the account. The payment is returned.',
};

/** The failure for a code, with its public message. A new quote and order may succeed. */
export const chargeFailure = (code: ChargeFailureCode): Failure => ({
  code,
  message: MESSAGES[code],
  retryable: RETRYABLE_PAYMENT_FAILURES.has(code),
});

/** The transaction failed permanently and moved nothing. A new order may succeed. */
export const NOT_SETTLED: Failure = {
  code: 'settlement-failed',
  message: 'The transaction on the chain failed. Nothing was moved.',
  retryable: true,
};

/** Movements refused the settlement of the accepted order, so no transaction was made. */
export const NOT_SETTLEABLE: Failure = {
  code: 'settlement-failed',
  message: 'The order cannot be settled on its chain. Nothing was moved. The funds are released.',
  retryable: false,
};

/** The treasury did not hold enough of the token in time. */
export const NO_LIQUIDITY: Failure = {
  code: 'liquidity-unavailable',
  message: 'The treasury could not deliver the token in time. The funds are released.',
  retryable: true,
};

/** Screening does not allow tokens to be sent to the external wallet. */
export const TARGET_REFUSED: Failure = {
  code: 'compliance',
  message: 'The order was not accepted. The funds are released.',
  retryable: false,
};

/** The account was closed, or is frozen to be closed, before anything was sent. */
export const ACCOUNT_NOT_ACTIVE: Failure = {
  code: 'account-not-active',
  message: 'The account is no longer active. The funds are released.',
  retryable: false,
};

/** The bank took the payment of the order back, or so much that the balance no longer covers the order's hold. */
export const PAYMENT_TAKEN_BACK: Failure = {
  code: 'payment-taken-back',
  message: 'The bank reversed the payment before the order was settled. Nothing was moved.',
  retryable: false,
};

/** The amount is above what one transaction may move. */
export const ABOVE_MAXIMUM: Failure = {
  code: 'amount-above-maximum',
  message: 'The amount is above the maximum of one transaction. The funds are released.',
  retryable: false,
};
