import type { OrderEvent, Delivery, Failure, Timestamp, OrderPlaced } from '@ponte/contracts';
import { fundingIdOf } from './order-ids.domain';

export type OrderTerms = OrderPlaced['data'];

interface Processing {
  readonly holdId: string;
  readonly depositId: string | null;
}

/** The transaction that settled the order. */
export interface Settlement {
  readonly txHash: string;
  readonly txTimestamp: Timestamp;
}

/** An order that was placed, in any status except `absent` and `abandoned`. */
export type PlacedOrder =
  | { readonly status: 'created'; readonly terms: OrderTerms; readonly since: Timestamp }
  | ({
      readonly status: 'processing';
      readonly terms: OrderTerms;
      readonly since: Timestamp;
      readonly settled: Settlement | null;
      /** For an order to an external wallet: whether tokens may be sent to it. Null until that is known. */
      readonly screened: 'clear' | 'refused' | null;
    } & Processing)
  | ({
      readonly status: 'completed';
      readonly terms: OrderTerms;
      readonly since: Timestamp;
      readonly txHash: string;
      readonly delivery: Delivery | null;
    } & Processing)
  | {
      readonly status: 'rolled-back';
      readonly terms: OrderTerms;
      readonly since: Timestamp;
      readonly failure: Failure;
    };

/** `abandoned`: acceptances were abandoned, and no order can be placed with the funding that they reserved. */
export type Order =
  | { readonly status: 'absent' }
  | { readonly status: 'abandoned'; readonly fundingIds: ReadonlySet<string> }
  | PlacedOrder;

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
}

export type OrderCommand = Place | Abandon | Start | NoteScreening | Settle | Deliver | RollBack;

/** The order, or undefined if it was not placed. */
export const placed = (state: Order): PlacedOrder | undefined =>
  state.status === 'absent' || state.status === 'abandoned' ? undefined : state;

/** Whether the order was placed with this hold or charge. */
export const owns = (state: PlacedOrder, fundingId: string): boolean => fundingIdOf(state.terms.funding) === fundingId;

const NONE: ReadonlySet<string> = new Set();

export const abandonedFunding = (state: Order): ReadonlySet<string> =>
  state.status === 'abandoned' ? state.fundingIds : NONE;

/** Whether the order sends tokens to a wallet outside our custody. */
export const needsScreening = ({ target }: OrderTerms): boolean => target !== null && !target.custody;

/** Throws on an event that cannot follow the events before it. */
export function evolve(state: Order, event: OrderEvent): Order {
  switch (event.type) {
    case 'OrderPlaced':
      return { status: 'created', terms: event.data, since: event.data.createdAt };
    case 'AcceptanceAbandoned':
      return { status: 'abandoned', fundingIds: new Set([...abandonedFunding(state), event.data.fundingId]) };
    case 'OrderProcessingStarted': {
      const { startedAt, holdId, depositId } = event.data;
      return {
        status: 'processing',
        terms: mustBePlaced(state).terms,
        since: startedAt,
        settled: null,
        screened: null,
        holdId,
        depositId,
      };
    }
    case 'OrderTargetScreened':
      return state.status === 'processing'
        ? { ...state, screened: event.data.outcome }
        : invariantViolated('only a processing order can be screened');
    case 'OrderSettled': {
      if (state.status !== 'processing') return invariantViolated('only a processing order can be settled');
      const { txHash, txTimestamp } = event.data;
      return { ...state, settled: { txHash, txTimestamp } };
    }
    case 'OrderCompleted': {
      if (state.status !== 'processing') return invariantViolated('only a processing order can complete');
      const { terms, holdId, depositId } = state;
      return {
        status: 'completed',
        terms,
        since: event.data.completedAt,
        txHash: event.data.txHash,
        delivery: event.data.delivery,
        holdId,
        depositId,
      };
    }
    case 'OrderRolledBack':
      return {
        status: 'rolled-back',
        terms: mustBePlaced(state).terms,
        since: event.data.rolledBackAt,
        failure: event.data.failure,
      };
  }
}

export function mustBePlaced(state: Order): PlacedOrder {
  return placed(state) ?? invariantViolated('an order that was never placed cannot move');
}

export function invariantViolated(message: string): never {
  throw new Error(message);
}
