import { NO_CHARGES, OrderCompleted, OrderPlaced, OrderProcessingStarted } from '@ponte/contracts';
import { derivedId } from '@ponte/kernel';

/** An account and the partner it belongs to. */
export const CHILD = derivedId('account', 'child');
export const PARTNER = derivedId('account', 'partner');
export const AT = '2026-03-02T12:00:00.000Z';

/** All events of a completed order of {@link CHILD}. */
export const order = (orderId: string): [OrderPlaced, OrderProcessingStarted, OrderCompleted] => {
  const common = {
    orderId,
    accountId: CHILD,
    createdBy: PARTNER,
    createdByApiKey: 'ak_test_1',
    sourceAsset: 'fiat/brl',
    targetAsset: 'eth-base/brlv',
    sourceAmount: '10.00',
    targetAmount: '10.000000000000000000',
    effectiveRate: '1.0000000000',
    sourceWalletAddress: null,
  } as const;
  return [
    new OrderPlaced({
      ...common,
      quoteId: 'q',
      parentId: PARTNER,
      externalId: null,
      createdAt: AT,
      baseRate: '1.0000000000',
      feeAmount: '0.00',
      feeAsset: 'fiat/brl',
      rateLock: null,
      charges: NO_CHARGES,
      settlement: 'mint',
      pixDelivery: null,
      target: { address: '0xabc', custody: true },
      funding: { kind: 'account-balance', holdId: 'h' },
    }),
    new OrderProcessingStarted({ orderId, accountId: CHILD, startedAt: AT, holdId: 'h', depositId: null }),
    new OrderCompleted({
      ...common,
      completedAt: AT,
      txHash: '0x1',
      txTimestamp: AT,
      targetWalletAddress: '0xabc',
      delivery: null,
    }),
  ];
};
