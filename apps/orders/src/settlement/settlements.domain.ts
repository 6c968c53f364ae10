import type { Failure, GetSettlement, GiveUpReason, ServedPurpose } from '@ponte/contracts';
import type { ReplyOf } from '@ponte/event-sourcing';
import {
  ABOVE_MAXIMUM,
  ACCOUNT_NOT_ACTIVE,
  NO_LIQUIDITY,
  NOT_SETTLED,
  PAYMENT_TAKEN_BACK,
  TARGET_REFUSED,
} from '../order/order-failures.domain';

/** The id of the order that a transaction settles. Null for the movements of other resources. */
export function orderOf(purpose: ServedPurpose): string | null {
  switch (purpose.kind) {
    case 'mint':
    case 'redemption':
      return purpose.orderId;
    case 'token-movement':
      return purpose.owner.kind === 'order' ? purpose.owner.id : null;
    case 'certificate-mint':
    case 'nft-movement':
      return null;
  }
}

const GIVEN_UP: Readonly<Record<GiveUpReason, Failure>> = {
  'liquidity-unavailable': NO_LIQUIDITY,
  compliance: TARGET_REFUSED,
  'amount-above-maximum': ABOVE_MAXIMUM,
  'account-not-active': ACCOUNT_NOT_ACTIVE,
  'payment-taken-back': PAYMENT_TAKEN_BACK,
  refused: NOT_SETTLED,
  'key-unavailable': NOT_SETTLED,
};

/** The failure of an order whose settlement was given up, or failed on the chain (null). */
export const failureOf = (givenUp: GiveUpReason | null): Failure =>
  givenUp === null ? NOT_SETTLED : GIVEN_UP[givenUp];

/** The failure of the order of a settlement; null if the settlement has not failed, or it is not known why. */
export const failureIn = (found: ReplyOf<typeof GetSettlement>): Failure | null =>
  found?.state === 'failed' && found.givenUp !== undefined ? failureOf(found.givenUp) : null;
