import type { Failure } from '@ponte/contracts';
import type { PayoutRefusal } from '../payouts/payouts.port';

/** Why a withdrawal was not paid. */
export type FailureCode =
  | 'account-not-active'
  | 'payment-taken-back'
  | 'pix-key-not-found'
  | 'pix-key-owner-changed'
  | 'payee-erased'
  | 'insufficient-balance'
  | 'withdrawal-reverted'
  | 'withdrawal-superseded'
  | 'compliance'
  | 'amount-above-maximum'
  | PayoutRefusal;

const FAILURES: Readonly<Record<FailureCode, Omit<Failure, 'code'>>> = {
  'account-not-active': {
    message: 'The account was frozen or closed before the withdrawal was sent.',
    retryable: false,
  },
  'payment-taken-back': {
    message: 'The bank reversed a payment, and the balance no longer covers the withdrawal. Nothing was sent.',
    retryable: false,
  },
  'pix-key-not-found': { message: 'The Pix key is no longer registered.', retryable: false },
  'pix-key-owner-changed': {
    message: 'The Pix key belongs to another person or company than when the withdrawal was created.',
    retryable: false,
  },
  'payee-erased': { message: 'The data of the payee was erased before the withdrawal was sent.', retryable: false },
  compliance: { message: 'The withdrawal was refused after a review.', retryable: false },
  'amount-above-maximum': {
    message: 'The amount is above the maximum of one withdrawal. Nothing was moved.',
    retryable: false,
  },
  'insufficient-balance': {
    message: "The account's wallets held less than the amount. Nothing was moved.",
    retryable: false,
  },
  'withdrawal-reverted': { message: 'The transaction was reverted on the chain. Nothing was moved.', retryable: true },
  'withdrawal-superseded': {
    message: 'The withdrawal can no longer be executed. Nothing was moved.',
    retryable: true,
  },
  'payee-not-found': { message: "The payee's bank does not know the account.", retryable: false },
  'payee-mismatch': { message: 'The account or key does not belong to the named payee.', retryable: false },
  'payee-account-closed': { message: "The payee's account is closed.", retryable: false },
  'bank-refused': { message: "The payee's bank refused the payment.", retryable: true },
  cancelled: { message: 'The withdrawal was stopped before it was paid.', retryable: true },
};

/** Why a withdrawal was rolled back, as shown to the account. */
export const failureOf = (code: FailureCode): Failure => ({ code, ...FAILURES[code] });
