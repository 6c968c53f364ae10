import type { OrderFilters, OrderRecord, PlaceOrderPayload } from '@ponte/contracts';
import type { Sealed } from '@ponte/event-sourcing';
import type { Call } from '../../edge/request-context';
import type { QrCodes } from '../../qr/qr-codes';
import type { DeliveryDto, OrderDto, OrderRequestDto, OrdersQuery } from './order.dto';

/** `pixKey` is the sealed `target-end-user-pix-key`. */
export const placeOrderPayload = (body: OrderRequestDto, call: Call, pixKey: Sealed | null): PlaceOrderPayload => ({
  callerAccountId: call.caller?.accountId ?? '',
  accountId: call.accountId,
  quoteId: body['quote-id'],
  sourceWalletAddress: body['source-wallet-address'] ?? null,
  targetWalletAddress: body['target-wallet-address'] ?? null,
  targetEndUserPixKey: pixKey,
  sourcePaymentMethod: body['source-payment-method'] ?? 'account-balance',
  externalId: body['external-id'] ?? null,
});

export const orderFilters = (query: OrdersQuery): OrderFilters => ({
  state: query.state ?? null,
  quoteId: query['quote-id'] ?? null,
  sourceAsset: query['source-asset'] ?? null,
  targetAsset: query['target-asset'] ?? null,
  externalId: query['external-id'] ?? null,
});

const deliveryDto = ({ state, reason }: NonNullable<OrderRecord['delivery']>): DeliveryDto => ({
  state,
  ...(reason === null ? {} : { reason }),
});

/**
 * Members that do not apply are absent. `tx-hash` is null until it is known, and absent for an order that was rolled
 * back without a transaction.
 */
export const orderDto = (order: OrderRecord, qrCodes: QrCodes): OrderDto => ({
  id: order.id,
  'quote-id': order.quoteId,
  state: order.state,
  'state-updated-at': order.stateUpdatedAt,
  'created-at': order.createdAt,
  'source-asset': order.sourceAsset,
  'target-asset': order.targetAsset,
  'source-amount': order.sourceAmount,
  'target-amount': order.targetAmount,
  'base-rate': order.baseRate,
  'effective-rate': order.effectiveRate,
  'fee-amount': order.feeAmount,
  'fee-asset': order.feeAsset,
  ...(order.txHash === null && order.state === 'rolled-back' ? {} : { 'tx-hash': order.txHash }),
  ...(order.brcode === null ? {} : { brcode: order.brcode, 'qr-code-base64': qrCodes.pngBase64(order.brcode) }),
  ...(order.expiration === null ? {} : { expiration: order.expiration }),
  ...(order.rateLock === null ? {} : { 'rate-lock': order.rateLock }),
  ...(order.sourceWalletAddress === null ? {} : { 'source-wallet-address': order.sourceWalletAddress }),
  ...(order.targetWalletAddress === null ? {} : { 'target-wallet-address': order.targetWalletAddress }),
  ...(order.externalId === null ? {} : { 'external-id': order.externalId }),
  ...(order.delivery === null ? {} : { delivery: deliveryDto(order.delivery) }),
  ...(order.failure === null ? {} : { failure: order.failure }),
});
