import type { Failure } from '@ponte/contracts';
import { refuse } from '@ponte/kernel';

export const refuseNotOwned = (): never =>
  refuse(
    'certificate-not-owned',
    'must be a certificate that the source wallet holds and that is in no open transfer',
    'reward-certificate-id',
  );

/** Failures of a mint, as shown to staff. */
export const MINT_FAILURES = {
  reverted: {
    code: 'mint-failed',
    message: 'The transaction was reverted on the chain. There is no token.',
    retryable: true,
  },
  superseded: {
    code: 'mint-failed',
    message: 'The mint can no longer be executed. There is no token.',
    retryable: true,
  },
  frozen: {
    code: 'account-not-active',
    message: 'The account is frozen or closed. There is no token.',
    retryable: false,
  },
} as const satisfies Record<string, Failure>;
