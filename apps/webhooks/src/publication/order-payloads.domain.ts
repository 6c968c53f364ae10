import type { Delivery, OrderCompleted, OrderPlaced, OrderProcessingStarted, OrderRolledBack } from '@ponte/contracts';

/** The payloads of the order events, with the fields in the order of docs/spec/webhooks.md. */

export const orderCreated = (data: OrderPlaced['data']) => ({
  'order-id': data.orderId,
  'account-id': data.accountId,
  'created-by': data.createdBy,
  'created-by-api-key': data.createdByApiKey ?? null,
  'quote-id': data.quoteId,
  'source-asset': data.sourceAsset,
  'target-asset': data.targetAsset,
  'source-amount': data.sourceAmount,
  'target-amount': data.targetAmount,
  'effective-rate': data.effectiveRate,
  'created-at': data.createdAt,
  'source-wallet-address': data.sourceWalletAddress,
  'target-wallet-address': data.target?.address ?? null,
});

export const orderProcessing = (data: OrderProcessingStarted['data']) => ({
  'order-id': data.orderId,
  'account-id': data.accountId,
  'started-at': data.startedAt,
  ...depositOf(data),
});

/** Present in an order by brcode, as soon as a payment is known. */
const depositOf = ({ depositId }: { readonly depositId?: string | null }) =>
  depositId === undefined || depositId === null ? {} : { 'deposit-id': depositId };

export const orderCompleted = (data: OrderCompleted['data']) => ({
  'order-id': data.orderId,
  'account-id': data.accountId,
  'created-by': data.createdBy,
  'created-by-api-key': data.createdByApiKey ?? null,
  'source-asset': data.sourceAsset,
  'target-asset': data.targetAsset,
  'source-amount': data.sourceAmount,
  'target-amount': data.targetAmount,
  'effective-rate': data.effectiveRate,
  'completed-at': data.completedAt,
  'tx-hash': data.txHash,
  'tx-timestamp': data.txTimestamp,
  'source-wallet-address': data.sourceWalletAddress,
  'target-wallet-address': data.targetWalletAddress,
  ...depositOf(data),
  ...(data.withdrawalId === undefined ? {} : { 'withdrawal-id': data.withdrawalId }),
  ...(data.delivery === null ? {} : { delivery: deliveryOf(data.delivery) }),
});

export const orderRolledBack = (data: OrderRolledBack['data']) => ({
  'order-id': data.orderId,
  'account-id': data.accountId,
  'rolled-back-at': data.rolledBackAt,
  ...depositOf(data),
  failure: { code: data.failure.code, message: data.failure.message, retryable: data.failure.retryable },
});

/** An inapplicable reason is left out, because no field of a payload is null. */
const deliveryOf = ({ state, reason }: Delivery) => ({ state, ...(reason === null ? {} : { reason }) });
