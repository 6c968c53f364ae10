import type { Failure } from '@ponte/contracts';
import { refuse } from '@ponte/kernel';
import { TARGET_LOST } from '../token-movement/token-movement.errors';

export const refuseKeyReused = (): never =>
  refuse('idempotency-key-reused', 'the idempotency key was used with another body');

/** The hold of this attempt was given up during the request, so another is needed. Never leaves the service. */
export class HoldAbandoned extends Error {
  override readonly name = 'HoldAbandoned';
  constructor() {
    super('the hold of the transfer was abandoned');
  }
}

/** Failures of a transfer, as shown to its account. */
export const FAILURES = {
  reverted: {
    code: 'transfer-reverted',
    message: 'The transaction was reverted on the chain. Nothing was moved.',
    retryable: true,
  },
  superseded: {
    code: 'transfer-superseded',
    message: 'The transfer can no longer be executed. Nothing was moved.',
    retryable: true,
  },
  balance: {
    code: 'insufficient-balance',
    message: 'The source wallet held less than the amount. Nothing was moved.',
    retryable: false,
  },
  aboveMaximum: {
    code: 'amount-above-maximum',
    message: 'The amount is above the maximum of one transfer. Nothing was moved.',
    retryable: false,
  },
  compliance: {
    code: 'compliance',
    message: 'The transfer was not accepted. Nothing was moved.',
    retryable: false,
  },
  lost: TARGET_LOST,
  frozen: {
    code: 'account-not-active',
    message: 'The account is frozen or closed. Nothing was moved.',
    retryable: false,
  },
} as const satisfies Record<string, Failure>;

/** The contract error when the wallets hold too little (see Custody.sol). */
const TOO_LITTLE = 'WalletsHoldTooLittle';

export const failureOfRevert = (reason: string): Failure =>
  reason === TOO_LITTLE ? FAILURES.balance : FAILURES.reverted;
