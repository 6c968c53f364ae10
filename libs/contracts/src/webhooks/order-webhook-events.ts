import { event, webhookEvent } from './webhook-event';
import { conversion, ofOrder } from './payload-forms';
import { createdBy, delivery, notInExample, failure, id, optional, OTHER, time, txHash } from './payload-fields';

const depositId = id(
  'The deposit that paid the Pix code; absent if the order was paid from the balance',
  OTHER.deposit,
);
const returnedDepositId = id(
  'The deposit of a payment of the Pix code, which is returned; absent without a payment',
  OTHER.deposit,
);
const withdrawalId = id('The withdrawal of the payout to the Pix key; absent without a Pix key', OTHER.withdrawal);

/** The types of webhook events about orders. */
export const ORDER_WEBHOOK_EVENTS = {
  'order-created': webhookEvent('order', event(1, null), 'An order was placed', {
    ...ofOrder,
    ...createdBy,
    'quote-id': id('The accepted quote', OTHER.quote),
    ...conversion,
    'created-at': time('When it was placed'),
  }),
  'order-processing': webhookEvent('order', event(2, 'created'), 'An order was paid and is being executed', {
    ...ofOrder,
    ...createdBy,
    'started-at': time('When execution began'),
    'deposit-id': optional(depositId),
  }),
  'order-completed': webhookEvent('order', event(3, 'processing'), 'An order is completed', {
    ...ofOrder,
    ...createdBy,
    ...conversion,
    'completed-at': time('When it was completed'),
    'tx-hash': optional(txHash),
    'tx-timestamp': optional(time('When the transaction was included in a block')),
    'deposit-id': optional(depositId),
    'withdrawal-id': notInExample(withdrawalId),
    delivery: notInExample(delivery),
  }),
  'order-rolled-back': webhookEvent('order', event(3, 'processing'), 'An order failed and its funds were returned', {
    ...ofOrder,
    ...createdBy,
    'rolled-back-at': time('When the funds were returned'),
    'deposit-id': optional(returnedDepositId),
    failure: failure('settlement-failed', 'The transaction on the chain failed. Nothing was moved.'),
  }),
};
