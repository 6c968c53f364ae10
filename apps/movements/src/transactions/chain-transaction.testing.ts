import {
  TransactionConfirmed,
  TransactionIntended,
  TransactionReverted,
  TransactionSigned,
  TransactionSuperseded,
} from '@ponte/contracts';
import { derivedId } from '@ponte/kernel';
import type { Intent } from './chain-transaction.state';
import { transactionIdOf } from './chain-transaction.state';

export const AT = '2026-03-01T12:00:00.000Z';
export const mintId = derivedId('mint', 'one');

/** The purpose of the transaction: a mint to a customer. */
export const terms = {
  kind: 'mint',
  id: mintId,
  orderId: derivedId('order', 'one'),
  accountId: 'account',
  asset: 'eth-base/brlv',
  amount: '12.500000000000000000',
  to: `0x${'ab'.repeat(20)}`,
} as const;
export const { orderId, accountId } = terms;
export const chain = 'eth-base';
export const transactionId = transactionIdOf({ kind: 'mint', id: mintId });
const intent: Intent = { transactionId, chain, from: '0xf', purpose: terms, intendedAt: AT };
export const intended = new TransactionIntended(intent);
export const bytes = { nonce: 3, raw: '0x02aa', txHash: '0xa', maxFeePerGas: '30', maxPriorityFeePerGas: '2' };
export const signed = new TransactionSigned({ transactionId, chain, from: '0xf', ...bytes });
export const mined = { txHash: '0xa', blockNumber: '9', blockHash: '0xb', minedAt: AT };
const ended = { transactionId, chain, purpose: { kind: 'mint', id: mintId, orderId, accountId } } as const;
export const confirmed = new TransactionConfirmed({
  ...ended,
  ...mined,
  confirmedAt: AT,
  from: '0xf',
  nonce: 3,
  final: false,
});
export const reverted = new TransactionReverted({ ...ended, txHash: '0xa', reason: 'why' });
export const superseded = new TransactionSuperseded({ ...ended, txHash: '0xa', nonce: 3 });

/** The command that intends the mint, with the terms in `change` replaced. */
export const intend = (change: object = {}) =>
  ({ kind: 'intend', purpose: { ...terms, ...change }, intent: { chain, from: '0xf', intendedAt: AT } }) as const;
