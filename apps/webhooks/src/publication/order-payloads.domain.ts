import type { Delivery, OrderCompleted, OrderPlaced, OrderProcessingStarted, OrderRolledBack } from '@ponte/contracts';
import { pick, toWire, toWireIfSet } from '@ponte/kernel';

/** The payloads of the order events, with the fields in the order of docs/spec/webhooks.md. */

export const orderCreated = (data: OrderPlaced['data']) => ({
  ...toWire(data, 'orderId', 'accountId', 'createdBy'),
  'created-by-api-key': data.createdByApiKey ?? null,
  ...toWire(data, 'quoteId', 'sourceAsset', 'targetAsset', 'sourceAmount', 'targetAmount', 'effectiveRate'),
  ...toWire(data, 'createdAt', 'sourceWalletAddress'),
  'target-wallet-address': data.target?.address ?? null,
});

export const orderProcessing = (data: OrderProcessingStarted['data']) => ({
  ...toWire(data, 'orderId', 'accountId', 'startedAt'),
  // An order by brcode has a deposit as soon as a payment is known.
  ...toWireIfSet(data, 'depositId'),
});

export const orderCompleted = (data: OrderCompleted['data']) => ({
  ...toWire(data, 'orderId', 'accountId', 'createdBy'),
  'created-by-api-key': data.createdByApiKey ?? null,
  ...toWire(data, 'sourceAsset', 'targetAsset', 'sourceAmount', 'targetAmount', 'effectiveRate', 'completedAt'),
  ...toWire(data, 'txHash', 'txTimestamp', 'sourceWalletAddress', 'targetWalletAddress'),
  ...toWireIfSet(data, 'depositId', 'withdrawalId'),
  ...(data.delivery === null ? {} : { delivery: deliveryOf(data.delivery) }),
});

export const orderRolledBack = (data: OrderRolledBack['data']) => ({
  ...toWire(data, 'orderId', 'accountId', 'rolledBackAt'),
  ...toWireIfSet(data, 'depositId'),
  failure: pick(data.failure, 'code', 'message', 'retryable'),
});

/** An inapplicable reason is left out, because no field of a payload is null. */
const deliveryOf = ({ state, reason }: Delivery) => ({ state, ...(reason === null ? {} : { reason }) });
