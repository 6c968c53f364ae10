import type { Json } from '../../e2e/testing/client';
import type { Customer } from '../../e2e/testing/customer';
import type { MovementKind } from './mix';

/** An order that was answered with 200. */
export interface Acknowledged {
  readonly request: number;
  readonly customer: Customer;
  readonly key: string;
  readonly quoteId: string;
  /** The fields of the acceptance other than the quote id. */
  readonly members: Json;
  readonly orderId: string;
  /** Epoch milliseconds: when its acceptance was first sent, and when it was answered. */
  readonly sentAt: number;
  readonly at: number;
  /** The response body as received. */
  readonly text: string;
}

/** A movement that was answered with 200. */
export interface Moved {
  readonly kind: MovementKind;
  readonly customer: Customer;
  readonly key: string;
  readonly path: string;
  readonly body: Json;
  /** Its id. For a deposit, the transaction hash or end-to-end id by which it can be found. */
  readonly reference: string;
  readonly request: number;
}
