import type {
  AccountRecord,
  Delivery,
  Failure,
  Funding,
  OrderEvent,
  OrderPlaced,
  PixDelivery,
  PlaceOrderPayload,
  QuoteRecord,
  Timestamp,
  WalletRelation,
} from '@ponte/contracts';
import { pairOf } from '@ponte/contracts';
import { pick } from '@ponte/kernel';
import { fundingIdOf } from './order-ids.domain';

export type OrderTerms = OrderPlaced['data'];

/** What an acceptance has found. */
export interface AcceptanceFacts {
  readonly quote: QuoteRecord;
  readonly account: AccountRecord;
  readonly wallet: WalletRelation | null;
  readonly sourceWallet: WalletRelation | null;
  /** Null unless the BRL goes to a Pix key. */
  readonly pixDelivery: PixDelivery | null;
}

/** A valid acceptance whose funds are reserved. */
interface Accepted extends AcceptanceFacts {
  readonly orderId: string;
  readonly at: Timestamp;
  readonly funding: Funding;
  /** The account of the caller's API key. */
  readonly createdBy: string;
  /** The id of that key; undefined if the request was not made with an API key. */
  readonly createdByApiKey: string | undefined;
}

/** The terms of the order: the quote's terms, on this account, paid by this funding. */
export function termsOf(
  request: PlaceOrderPayload,
  { orderId, at, quote, account, wallet, sourceWallet, pixDelivery, funding, createdBy, createdByApiKey }: Accepted,
): OrderTerms {
  const { fee, baseRate, spread, iof } = quote.pricing;
  const pair = pairOf(quote.sourceAsset, quote.targetAsset);
  if (!pair) throw new Error('an acceptance without violations lacks an orderable pair');
  const { settlement } = pair;
  return {
    orderId,
    quoteId: quote.quoteId,
    accountId: account.accountId,
    parentId: account.parentId,
    createdBy,
    ...(createdByApiKey === undefined ? {} : { createdByApiKey }),
    externalId: request.externalId,
    createdAt: at,
    ...pick(quote, 'sourceAsset', 'targetAsset', 'sourceAmount', 'targetAmount'),
    baseRate: baseRate.amount,
    effectiveRate: quote.vet.amount,
    feeAmount: fee.amount,
    feeAsset: fee.asset,
    rateLock: quote.rateLock,
    charges: { spread: spread.amount, fee: fee.amount, tax: iof.amount },
    settlement,
    sourceWalletAddress: sourceWallet?.address ?? null,
    target: wallet && { address: wallet.address, custody: wallet.kind === 'internal' },
    pixDelivery,
    funding,
  };
}

/** What a processing order is paid with. */
export interface Processing {
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
      readonly screened: { readonly outcome: 'clear' | 'refused'; readonly at: Timestamp } | null;
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
      readonly depositId: string | null;
    };

/** `abandoned`: acceptances were abandoned, and no order can be placed with the funding that they reserved. */
export type Order =
  | { readonly status: 'absent' }
  | { readonly status: 'abandoned'; readonly fundingIds: ReadonlySet<string> }
  | PlacedOrder;

export const placed = (state: Order): PlacedOrder | undefined =>
  state.status === 'absent' || state.status === 'abandoned' ? undefined : state;

/** The deposit of a payment for the order's brcode, paid or refused; null if no payment has arrived. */
export const depositIdOf = (state: PlacedOrder): string | null => (state.status === 'created' ? null : state.depositId);

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
        terms: placedOrThrow(state).terms,
        since: startedAt,
        settled: null,
        screened: null,
        holdId,
        depositId,
      };
    }
    case 'OrderTargetScreened':
      return state.status === 'processing'
        ? { ...state, screened: { outcome: event.data.outcome, at: event.data.screenedAt } }
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
    case 'OrderRolledBack': {
      const existing = placedOrThrow(state);
      const { rolledBackAt: since, failure, depositId = depositIdOf(existing) } = event.data;
      return { status: 'rolled-back', terms: existing.terms, since, failure, depositId };
    }
  }
}

/** The placed order. Throws if the order was never placed, which no command can cause. */
export function placedOrThrow(state: Order): PlacedOrder {
  return placed(state) ?? invariantViolated('an order that was never placed cannot move');
}

export function invariantViolated(message: string): never {
  throw new Error(message);
}
