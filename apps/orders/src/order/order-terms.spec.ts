import { AT, ADDRESS, request, account, quote, external, internal } from '../acceptance/acceptance.testing';
import { termsOf } from './order.state';

it('the terms of an order are those of its quote', () => {
  const funding = { kind: 'account-balance', holdId: 'hold-1' } as const;
  const accepted = {
    orderId: 'order-1',
    at: AT,
    quote,
    account,
    wallet: external(true),
    sourceWallet: null,
    pixDelivery: null,
    funding,
    createdBy: 'partner',
    createdByApiKey: 'ak_test_1',
  };
  expect(termsOf({ ...request, sourceWalletAddress: ADDRESS, externalId: 'x' }, accepted)).toEqual({
    orderId: 'order-1',
    quoteId: 'quote-1',
    accountId: 'child',
    parentId: 'partner',
    createdBy: 'partner',
    createdByApiKey: 'ak_test_1',
    externalId: 'x',
    createdAt: AT,
    sourceAsset: 'fiat/brl',
    targetAsset: 'eth-base/brlv',
    sourceAmount: '100.00',
    targetAmount: '100.000000000000000000',
    baseRate: '1.0000000000',
    effectiveRate: '1.0000000000',
    feeAmount: '0.00',
    feeAsset: 'fiat/brl',
    rateLock: null,
    charges: { spread: '0.00', fee: '0.00', tax: '0.00' },
    settlement: 'mint',
    pixDelivery: null,
    sourceWalletAddress: null,
    target: { address: ADDRESS, custody: false },
    funding,
  });
  expect(termsOf(request, { ...accepted, wallet: internal }).target).toEqual({ address: ADDRESS, custody: true });
  expect(termsOf(request, { ...accepted, wallet: null }).target).toBeNull();
});
