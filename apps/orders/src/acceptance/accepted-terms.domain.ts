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

/** What a sound acceptance has at hand, its funding taken. */
export interface Accepted {
  readonly orderId: string;
  readonly at: Timestamp;
  readonly quote: QuoteRecord;
  readonly account: AccountRecord;
  readonly wallet: WalletRelation | null;
  readonly sourceWallet: WalletRelation | null;
  readonly pixDelivery: PixDelivery | null;
  readonly funding: Funding;
  /** Account of the caller's key. */
  readonly createdBy: string;
  /** Id of that key, undefined when no API key made the request. */
  readonly createdByApiKey: string | undefined;
}

/** The terms of the order: the quote's, on this account, paid by this funding. */
export function termsOf(
  request: PlaceOrderPayload,
  { orderId, at, quote, account, wallet, sourceWallet, pixDelivery, funding, createdBy, createdByApiKey }: Accepted,
): OrderTerms {
  const { fee, baseRate, spread, iof } = quote.pricing;
  const pair = pairOf(quote.sourceAsset, quote.targetAsset);
  if (!pair) throw new Error('an acceptance without violations has a pair that can be ordered');
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
