import type { OperationSpec } from '../../openapi/operation-spec';
import { described } from '../../openapi/operation-spec';
import {
  ORDER_EXAMPLE,
  ORDER_REQUEST_EXAMPLE,
  OrderEnvelopeDto,
  OrderRequestDto,
  OrdersDto,
  OrdersQuery,
} from './order.dto';

const one = described(OrderEnvelopeDto, { order: ORDER_EXAMPLE });

export const PLACING: Pick<
  OperationSpec,
  'operation' | 'shedPriority' | 'dryRun' | 'whileFrozen' | 'body' | 'answer' | 'errors'
> = {
  operation: 'create-order',
  shedPriority: 'last',
  dryRun: true,
  whileFrozen: 'service',
  body: described(OrderRequestDto, ORDER_REQUEST_EXAMPLE),
  answer: one,
  errors: [
    'quote-not-found',
    'quote-expired',
    'quote-already-accepted',
    'brcode-window-too-short',
    'asset-pair-not-supported',
    'amount-below-minimum',
    'amount-above-maximum',
    'source-wallet-required',
    'target-wallet-required',
    'wallet-not-allowed',
    'wallet-not-fx-whitelisted',
    'invalid-address',
    'bad-address-checksum',
    'invalid-pix-key',
    'pix-key-not-found',
    'pix-key-tax-id-mismatch',
    'pix-key-not-allowed-for-pair',
    'payment-method-not-allowed-for-pair',
    'insufficient-balance',
    'external-id-already-used',
    'pay-after-acceptance-not-enabled',
    'trade-reason-not-enabled',
    'rate-lock-not-enabled',
    'account-not-active',
    'too-many-pix-key-look-ups',
    'rail-unavailable',
    'pricing-unavailable',
  ],
};

export const READING = { operation: 'get-order', answer: one, errors: ['order-not-found'] as const };

export const LISTING = {
  operation: 'list-orders',
  query: OrdersQuery,
  answer: described(OrdersDto, { orders: [ORDER_EXAMPLE] }),
  paged: true,
};
