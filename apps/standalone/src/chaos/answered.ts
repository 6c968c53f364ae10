import type { Json } from '../e2e/testing/client';
import type { Customer } from '../e2e/testing/customer';
import type { MovementKind } from './mix';

/** An order that was answered with 200. */
export interface Acknowledged {
  readonly request: number;
  readonly customer: Customer;
  readonly key: string;
  readonly quoteId: string;
  /** What the acceptance said beside the quote. */
  readonly members: Json;
  readonly orderId: string;
  /** Epoch milliseconds: when its acceptance was first sent, and when it was answered. */
  readonly sentAt: number;
  readonly at: number;
  /** The body as it came. */
  readonly text: string;
}

/** A movement that was answered with 200. */
export interface Moved {
  readonly kind: MovementKind;
  readonly customer: Customer;
  readonly key: string;
  readonly path: string;
  readonly body: Json;
  /** Its id; of a deposit, what it is found by. */
  readonly reference: string;
  readonly request: number;
}
