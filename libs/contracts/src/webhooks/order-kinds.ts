import { event, kind } from './kind';
import { conversion, ofOrder } from './payload-forms';
import { createdBy, delivery, elsewhere, failure, id, maybe, OTHER, time, txHash } from './payload-members';

const depositId = id(
  'The deposit that paid the Pix code; absent if the order was paid from the balance',
  OTHER.deposit,
);
const returnedDepositId = id(
  'The deposit of a payment of the Pix code, which is returned; absent without a payment',
  OTHER.deposit,
);
const withdrawalId = id('The withdrawal of the payout to the Pix key; absent without a Pix key', OTHER.withdrawal);

/** The kinds of webhook events about orders. */
export const ORDER_KINDS = {
  'order-created': kind('order', event(1, null), 'An order was placed', {
    ...ofOrder,
    ...createdBy,
    'quote-id': id('The accepted quote', OTHER.quote),
    ...conversion,
    'created-at': time('When it was placed'),
  }),
  'order-processing': kind('order', event(2, 'created'), 'An order was paid and is being executed', {
    ...ofOrder,
    ...createdBy,
    'started-at': time('When execution began'),
    'deposit-id': maybe(depositId),
  }),
  'order-completed': kind('order', event(3, 'processing'), 'An order is completed', {
    ...ofOrder,
    ...createdBy,
    ...conversion,
    'completed-at': time('When it was completed'),
    'tx-hash': maybe(txHash),
    'tx-timestamp': maybe(time('When the transaction was included in a block')),
    'deposit-id': maybe(depositId),
    'withdrawal-id': elsewhere(withdrawalId),
    delivery: elsewhere(delivery),
  }),
  'order-rolled-back': kind('order', event(3, 'processing'), 'An order failed and its funds were returned', {
    ...ofOrder,
    ...createdBy,
    'rolled-back-at': time('When the funds were returned'),
    'deposit-id': maybe(returnedDepositId),
    failure: failure('settlement-failed', 'The transaction on the chain failed. Nothing was moved.'),
  }),
};
