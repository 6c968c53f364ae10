import type {
  AccountRecord,
  Funding,
  PixDelivery,
  PlaceOrderPayload,
  QuoteRecord,
  Timestamp,
  WalletRelation,
} from '@ponte/contracts';
import { pairOf } from '@ponte/contracts';
import type { OrderTerms } from '../order/order.state';

export interface AcceptanceFacts {
  readonly quote: QuoteRecord;
  readonly account: AccountRecord;
  readonly wallet: WalletRelation | null;
  readonly sourceWallet: WalletRelation | null;
  /** Null unless the BRL goes to a Pix key. */
  readonly pixDelivery: PixDelivery | null;
}

/** A valid acceptance whose funds are reserved. */
export interface Accepted extends AcceptanceFacts {
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
    sourceAsset: quote.sourceAsset,
    targetAsset: quote.targetAsset,
    sourceAmount: quote.sourceAmount,
    targetAmount: quote.targetAmount,
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
