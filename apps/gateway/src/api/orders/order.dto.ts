import type { AssetId } from '@ponte/kernel';
import type { OrderState, PaymentMethod } from '@ponte/contracts';
import { orderMachine } from '@ponte/contracts';
import { PageQuery } from '../../pagination/page-query';
import { address, asset, decimal, flag, instant, oneOf, opaqueId, text, uuid } from '../../validation/field-types';
import { EnvelopeOf, ListOf } from '../../validation/envelopes';
import { exampleOf, Optional, OptionalNullable, OptionalObject, Required } from '../../validation/fields';
import { SAMPLE } from '../samples';

const STATES = Object.keys(orderMachine);
const externalId = opaqueId(100);
const pixKey = text(1, 77);

export class OrderRequestDto {
  @Required(uuid, 'The quote to accept', SAMPLE.quoteId)
  'quote-id'!: string;

  @Optional(
    address,
    'Wallet that pays the tokens; it must hold all of them. Refused unless the source asset is a token',
    SAMPLE.wallet,
  )
  'source-wallet-address'?: string;

  @Optional(
    address,
    'Wallet that receives the tokens; by default the first wallet of the account on that chain. Refused unless the target is a token',
    SAMPLE.wallet,
  )
  'target-wallet-address'?: string;

  @Optional(
    pixKey,
    "Pix key of the account holder's own bank account, which receives the BRL. Only for USDC or BRLV to BRL, and only if the owner of the key has the holder's tax id. If the payout fails, the order is `completed` anyway, with `delivery.state` `kept-in-balance`",
  )
  'target-end-user-pix-key'?: string;

  @Optional(oneOf(['account-balance', 'brcode']), 'account-balance if absent', 'brcode')
  'source-payment-method'?: PaymentMethod;

  @Optional(externalId, 'Your own id, unique among the orders of the account', 'invoice-4711')
  'external-id'?: string;
}

export class FailureDto {
  @Required(text(1, 100), 'Code of the failure', 'brcode-expired')
  code!: string;

  @Required(text(1, 1000), 'Explanation in English', 'The Pix code was not paid before it expired.')
  message!: string;

  @Required(flag, 'Whether a new attempt may succeed: a new order, transfer or withdrawal, or another payment', true)
  retryable!: boolean;
}

export class DeliveryDto {
  @Required(
    oneOf(['pending', 'delivered', 'kept-in-balance']),
    'Whether the BRL was delivered to the Pix key, or stayed in the balance because the bank refused the payout. It stays `delivered` if the bank returns the payout later, as a deposit with `returned-order-id`',
    'delivered',
  )
  state!: string;

  @Optional(text(1, 100), 'Why the BRL stayed in the balance')
  reason?: string;
}

export class OrderDto {
  @Required(uuid, 'Id of the order', SAMPLE.orderId)
  id!: string;

  @Required(uuid, 'The quote that was accepted', SAMPLE.quoteId)
  'quote-id'!: string;

  @Required(
    oneOf(STATES),
    'See GET /api/v1/state-machines. An order to a Pix key can be `completed` without a payout: see `delivery`',
    'created',
  )
  state!: string;

  @Required(instant, 'When it reached this state', SAMPLE.time)
  'state-updated-at'!: string;

  @Required(instant, 'When the quote was accepted', SAMPLE.time)
  'created-at'!: string;

  @Required(asset, 'Source asset', 'fiat/brl')
  'source-asset'!: string;

  @Required(asset, 'Target asset', 'eth-base/brlv')
  'target-asset'!: string;

  @Required(decimal, 'Source amount, with the decimal places of the source asset', '100.00')
  'source-amount'!: string;

  @Required(decimal, 'Target amount, with the decimal places of the target asset', '100.000000000000000000')
  'target-amount'!: string;

  @Required(decimal, 'Rate of the quote before spread', '1.0000000000')
  'base-rate'!: string;

  @Required(decimal, 'All-in rate of the quote', '1.0000000000')
  'effective-rate'!: string;

  @Required(decimal, 'The fee', '0.00')
  'fee-amount'!: string;

  @Required(asset, 'Asset of the fee', 'fiat/brl')
  'fee-asset'!: string;

  @OptionalNullable(
    text(66, 66, /^0x[0-9a-f]{64}$/),
    'Transaction that delivered the tokens; null until it is known, absent if the order was rolled back before that',
  )
  'tx-hash'?: string | null;

  @Optional(text(1, 600), 'Pix copy-and-paste code of an order that is paid by a Pix code', SAMPLE.brcode)
  brcode?: string;

  @Optional(text(1, 20_000), 'The code as a PNG, base64. In a list, only while the order is `created`', SAMPLE.qrCode)
  'qr-code-base64'?: string;

  @Optional(instant, 'When the Pix code expires', SAMPLE.later)
  expiration?: string;

  @OptionalNullable(
    uuid,
    'brcode: the deposit that paid it, or that was refused and is returned; null until there is one',
  )
  'deposit-id'?: string | null;

  @Optional(text(1, 40), 'Rate lock of the quote')
  'rate-lock'?: string;

  @Optional(address, 'Wallet that pays the tokens')
  'source-wallet-address'?: string;

  @Optional(address, 'Wallet that receives the tokens', SAMPLE.wallet)
  'target-wallet-address'?: string;

  @Optional(externalId, 'Your own id, as sent')
  'external-id'?: string;

  @OptionalNullable(uuid, 'Pix key: the withdrawal that pays the BRL out; null until the exchange is settled')
  'withdrawal-id'?: string | null;

  @OptionalObject(() => DeliveryDto, 'Result of the payout of an order to a Pix key')
  delivery?: DeliveryDto;

  @OptionalObject(() => FailureDto, 'Why the order was rolled back')
  failure?: FailureDto;
}

export class OrderEnvelopeDto extends EnvelopeOf('order', () => OrderDto, 'The order') {}

export class OrdersDto extends ListOf('orders', () => OrderDto, 'Newest first') {}

export class OrdersQuery extends PageQuery {
  @Optional(oneOf(STATES), 'Only in this state')
  state?: OrderState;

  @Optional(uuid, 'Only of this quote')
  'quote-id'?: string;

  @Optional(asset, 'Only with this source asset')
  'source-asset'?: AssetId;

  @Optional(asset, 'Only with this target asset')
  'target-asset'?: AssetId;

  @Optional(externalId, 'Only the one with this external id')
  'external-id'?: string;
}

export const ORDER_REQUEST_EXAMPLE: OrderRequestDto = {
  'quote-id': SAMPLE.quoteId,
  'source-payment-method': 'brcode',
  'external-id': 'invoice-4711',
};

export const ORDER_EXAMPLE = exampleOf(OrderDto, {
  'tx-hash': null,
  brcode: SAMPLE.brcode,
  'qr-code-base64': SAMPLE.qrCode,
  expiration: SAMPLE.later,
  'deposit-id': null,
  'target-wallet-address': SAMPLE.wallet,
  'external-id': 'invoice-4711',
});
