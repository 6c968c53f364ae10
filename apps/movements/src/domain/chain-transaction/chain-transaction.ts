import type { ChainTransactionFact, Timestamp } from '@ponte/contracts';
import {
  TransactionBroadcast, TransactionConfirmed, TransactionIntended, TransactionReverted, TransactionSigned, TransactionSuperseded,
} from '@ponte/contracts';
import type { Decider, StateMachine } from '@ponte/event-sourcing';
import { assertMove } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';

export type Intent = TransactionIntended['data'];
export type Signed = Pick<TransactionSigned['data'], 'nonce' | 'raw' | 'txHash'>;
type Mined = Pick<TransactionConfirmed['data'], 'txHash' | 'blockNumber' | 'blockHash' | 'minedAt'>;

export type ChainTransaction =
  | { readonly status: 'absent' }
  | { readonly status: 'intended'; readonly intent: Intent }
  | { readonly status: 'signed' | 'broadcast'; readonly intent: Intent; readonly signed: Signed }
  | { readonly status: 'confirmed' | 'reverted' | 'superseded'; readonly intent: Intent };

export type ChainTransactionCommand =
  | { readonly kind: 'intend'; readonly intent: Intent }
  | { readonly kind: 'sign'; readonly signed: Signed }
  | { readonly kind: 'note-broadcast'; readonly at: Timestamp }
  | { readonly kind: 'confirm'; readonly mined: Mined; readonly at: Timestamp }
  | { readonly kind: 'revert'; readonly reason: string }
  | { readonly kind: 'supersede' };

type Status = Exclude<ChainTransaction['status'], 'absent'>;

/** Nothing leads back: what is signed is sent until it is mined, or until its nonce is gone for good. */
export const chainTransactionMachine: StateMachine<Status> = {
  // Confirmed without bytes of ours: the chain had taken the reference before.
  intended: ['signed', 'confirmed'],
  signed: ['broadcast', 'confirmed', 'reverted', 'superseded'],
  broadcast: ['confirmed', 'reverted', 'superseded'],
  confirmed: [],
  reverted: [],
  superseded: [],
};

/** What a resource has to do on the chain is done by one transaction. */
export const transactionIdOf = (purpose: Intent['purpose']): string => derivedId('transaction', purpose.kind, purpose.id);

export const chainTransaction: Decider<ChainTransactionCommand, ChainTransaction, ChainTransactionFact> = {
  category: 'chainTransaction',
  initial: { status: 'absent' },
  events: [TransactionIntended, TransactionSigned, TransactionBroadcast, TransactionConfirmed, TransactionReverted, TransactionSuperseded],

  decide(command, state) {
    if (command.kind === 'intend') return state.status === 'absent' ? [new TransactionIntended(command.intent)] : [];
    if (state.status === 'absent') throw new Error('a chain transaction that nobody intended');
    const { transactionId, chain, from } = state.intent;
    switch (command.kind) {
      // The first bytes stand, whoever signs again: there is one nonce and one hash for an intent.
      case 'sign': return state.status === 'intended' ? [new TransactionSigned({ transactionId, chain, from, ...command.signed })] : [];
      case 'note-broadcast':
        if (state.status === 'intended') throw new Error('bytes that are not stored were broadcast');
        return state.status === 'signed' ? [new TransactionBroadcast({ transactionId, chain, txHash: state.signed.txHash, broadcastAt: command.at })] : [];
      case 'confirm':
        return ends(state, 'confirmed') ? [new TransactionConfirmed({ transactionId, chain, ...command.mined, confirmedAt: command.at })] : [];
      case 'revert':
        return ends(state, 'reverted') ? [new TransactionReverted({ transactionId, chain, txHash: signedOf(state).txHash, reason: command.reason })] : [];
      case 'supersede': {
        if (!ends(state, 'superseded')) return [];
        const { txHash, nonce } = signedOf(state);
        return [new TransactionSuperseded({ transactionId, chain, txHash, nonce })];
      }
    }
  },

  evolve(state, event) {
    if (event.type === 'TransactionIntended') return { status: 'intended', intent: event.data };
    if (state.status === 'absent') throw new Error(`${event.type} of a chain transaction that nobody intended`);
    const { intent } = state;
    switch (event.type) {
      case 'TransactionSigned': {
        const { nonce, raw, txHash } = event.data;
        return { status: 'signed', intent, signed: { nonce, raw, txHash } };
      }
      case 'TransactionBroadcast': return { status: 'broadcast', intent, signed: signedOf(state) };
      case 'TransactionConfirmed': return { status: 'confirmed', intent };
      case 'TransactionReverted': return { status: 'reverted', intent };
      case 'TransactionSuperseded': return { status: 'superseded', intent };
    }
  },
};

type Known = Exclude<ChainTransaction, { status: 'absent' }>;

function signedOf(state: Known): Signed {
  if (state.status === 'signed' || state.status === 'broadcast') return state.signed;
  throw new Error(`a transaction that is ${state.status} has no bytes to send`);
}

/** False when it stands there already. */
function ends(state: Known, to: Status): boolean {
  if (state.status === to) return false;
  assertMove(chainTransactionMachine, state.status, to);
  return true;
}
