import type { Delivery, Failure, Timestamp } from '@ponte/contracts';
import type { OrderTerms, Processing, Settlement } from './order.state';

export interface Place {
  readonly kind: 'place';
  /** `createdAt` is the one clock reading of the decision. */
  readonly terms: OrderTerms;
  readonly quoteExpiresAt: Timestamp;
  readonly callerAccountId: string;
}

/** Abandons the funding that an acceptance reserved, unless an order owns it. */
export interface Abandon {
  readonly kind: 'abandon';
  readonly orderId: string;
  readonly accountId: string;
  readonly fundingId: string;
}

/** The charge `fundingId` was paid. */
export interface Start extends Processing {
  readonly kind: 'start';
  readonly fundingId: string;
  readonly at: Timestamp;
}

/** The external wallet was screened. The first outcome that is recorded is kept. */
export interface NoteScreening {
  readonly kind: 'note-screening';
  readonly outcome: 'clear' | 'refused';
  readonly at: Timestamp;
}

/** The settlement is confirmed and posted. An order to a Pix key is then paid out; any other order completes. */
export interface Settle extends Settlement {
  readonly kind: 'settle';
  readonly at: Timestamp;
}

/** The payout to the Pix key has ended. */
export interface Deliver {
  readonly kind: 'deliver';
  readonly at: Timestamp;
  readonly delivery: Delivery;
}

/** `from` says what failed: a charge (the order still waits for it) or a settlement (the order is processing). */
export interface RollBack {
  readonly kind: 'roll-back';
  readonly from: 'created' | 'processing';
  readonly fundingId: string;
  readonly at: Timestamp;
  readonly failure: Failure;
  /** The deposit that was refused as the payment of the charge, if there is one. */
  readonly depositId?: string;
}

export type OrderCommand = Place | Abandon | Start | NoteScreening | Settle | Deliver | RollBack;
