import type { ExplainedQuote, OrderRecord, QuoteRecord, RequestQuotePayload } from '@ponte/contracts';
import { SAMPLE } from '../../api/samples';

export const quoteRecord = (payload: Partial<RequestQuotePayload> = {}): QuoteRecord => {
  const rate = { amount: '1.0000000000', base: 'BRLV', quote: 'BRL' };
  const none = { amount: '0.00', asset: 'fiat/brl' as const };
  return {
    quoteId: payload.quoteId ?? SAMPLE.quoteId,
    accountId: payload.accountId ?? SAMPLE.accountId,
    scope: payload.scope ?? 'account',
    sourceAsset: payload.sourceAsset ?? 'fiat/brl',
    targetAsset: payload.targetAsset ?? 'eth-base/brlv',
    sourceAmount: '100.00',
    targetAmount: '100.000000000000000000',
    givenSide: 'source',
    createdAt: SAMPLE.time,
    expiresAt: SAMPLE.later,
    pricing: {
      baseRate: rate,
      spread: { ...none, bps: 0 },
      fee: { ...none, kind: 'fixed' },
      iof: { ...none, applicable: false, basisRef: 'psav-res-521-2025' },
    },
    offMarketPricing: false,
    vet: rate,
    tradeReason: payload.tradeReason ?? null,
    rateLock: payload.rateLock ?? null,
    state: 'open',
    orderId: null,
  };
};

export const explainedQuote = (accountId: string): ExplainedQuote => ({
  quote: quoteRecord({ accountId }),
  steps: [{ name: 'R', formula: '1', value: '1.0000000000' }],
  inputs: {
    givenAmount: '100.00',
    rates: [
      {
        of: 'usd-brl',
        rate: '5.3412000000',
        source: 'median',
        observedAt: SAMPLE.time,
        readings: [
          {
            source: 'bank-a',
            rate: '5.3412000000',
            observedAt: SAMPLE.time,
            weight: 1,
            spreadBps: null,
            verdict: 'used',
          },
        ],
      },
    ],
    offMarketSet: null,
    rulesVersion: SAMPLE.quoteId,
    rules: [{ table: 'limits', row: 1, values: { minimum: '1.00' } }],
  },
});

export const orderRecord = (
  more: Partial<OrderRecord> & { sourcePaymentMethod?: 'brcode' | 'account-balance' } = {},
): OrderRecord => {
  const brcode = more.sourcePaymentMethod === 'brcode';
  return {
    id: SAMPLE.orderId,
    accountId: more.accountId ?? SAMPLE.accountId,
    quoteId: more.quoteId ?? SAMPLE.quoteId,
    state: more.state ?? 'created',
    stateUpdatedAt: SAMPLE.time,
    createdAt: SAMPLE.time,
    externalId: more.externalId ?? null,
    sourceAsset: 'fiat/brl',
    targetAsset: 'eth-base/brlv',
    sourceAmount: '100.00',
    targetAmount: '100.000000000000000000',
    baseRate: '1.0000000000',
    effectiveRate: '1.0000000000',
    feeAmount: '0.00',
    feeAsset: 'fiat/brl',
    rateLock: null,
    sourceWalletAddress: null,
    targetWalletAddress: SAMPLE.wallet,
    txHash: null,
    delivery: more.delivery ?? null,
    withdrawalId: more.withdrawalId ?? null,
    failure: null,
    paymentMethod: brcode ? 'brcode' : 'account-balance',
    brcode: brcode ? SAMPLE.brcode : null,
    expiration: brcode ? SAMPLE.later : null,
    depositId: more.depositId ?? null,
  };
};
