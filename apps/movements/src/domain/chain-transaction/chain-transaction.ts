import type { ChainTransactionFact, ServedPurpose, Timestamp, TransactionPurpose } from '@ponte/contracts';
import { TransactionConfirmed, TransactionIntended, TransactionReverted, TransactionSigned, TransactionSuperseded } from '@ponte/contracts';
import type { Decider, StateMachine } from '@ponte/event-sourcing';
import { assertMove } from '@ponte/event-sourcing';
import { canonicalJson, childId, refuse } from '@ponte/kernel';
import { acceptableMovement } from '../../token-movement/token-movement';
import { acceptableMint } from '../mint/mint';
import { acceptableRedemption } from '../redemption/redemption';

export type Intent = TransactionIntended['data'];
export type Signed = Pick<TransactionSigned['data'], 'nonce' | 'raw' | 'txHash'>;
type Mined = Pick<TransactionConfirmed['data'], 'txHash' | 'blockNumber' | 'blockHash' | 'minedAt'>;

export type ChainTransaction =
  | { readonly status: 'absent' }
  | { readonly status: 'intended'; readonly intent: Intent }
  | { readonly status: 'signed'; readonly intent: Intent; readonly signed: Signed }
  | { readonly status: 'confirmed'; readonly intent: Intent; readonly txHash: string }
  | { readonly status: 'reverted' | 'superseded'; readonly intent: Intent; readonly txHash: string };

export type ChainTransactionCommand =
  /** `from` is the address of the key that will sign. */
  | { readonly kind: 'intend'; readonly purpose: TransactionPurpose; readonly intent: Pick<Intent, 'chain' | 'from'> }
  | { readonly kind: 'sign'; readonly signed: Signed }
  | { readonly kind: 'confirm'; readonly mined: Mined; readonly at: Timestamp }
  | { readonly kind: 'revert'; readonly reason: string }
  | { readonly kind: 'supersede' };

export type IntendedTransaction = Exclude<ChainTransaction, { status: 'absent' }>;
type Status = IntendedTransaction['status'];

/** Nothing leads back: what is signed is sent until it is mined, or until its nonce is gone for good. */
export const chainTransactionMachine: StateMachine<Status> = {
  // Confirmed without bytes of ours: the chain had taken the reference before.
  intended: ['signed', 'confirmed'],
  signed: ['confirmed', 'reverted', 'superseded'],
  confirmed: [],
  reverted: [],
  superseded: [],
};

/** What a resource has to do on the chain is done by one transaction. */
export const transactionIdOf = ({ kind, id }: Pick<TransactionPurpose, 'kind' | 'id'>): string => childId(id, 'transaction', kind);

export const chainTransaction: Decider<ChainTransactionCommand, ChainTransaction, ChainTransactionFact> = {
  category: 'chainTransaction',
  errand: true,
  initial: { status: 'absent' },
  events: [TransactionIntended, TransactionSigned, TransactionConfirmed, TransactionReverted, TransactionSuperseded],

  decide(command, state) {
    if (command.kind === 'intend') return intend(command.purpose, command.intent, state);
    if (state.status === 'absent') throw new Error('a chain transaction that nobody intended');
    const { transactionId, chain, from } = state.intent;
    const ended = { transactionId, chain, purpose: served(state.intent.purpose) };
    switch (command.kind) {
      // The first bytes stand, whoever signs again: there is one nonce and one hash for an intent.
      case 'sign': return state.status === 'intended' ? [new TransactionSigned({ transactionId, chain, from, ...command.signed, ...waitedFor(state.intent.purpose) })] : [];
      case 'confirm':
        return ends(state, 'confirmed') ? [new TransactionConfirmed({ ...ended, ...command.mined, confirmedAt: command.at })] : [];
      case 'revert':
        return ends(state, 'reverted') ? [new TransactionReverted({ ...ended, txHash: signedOf(state).txHash, reason: command.reason })] : [];
      case 'supersede': {
        if (!ends(state, 'superseded')) return [];
        const { txHash, nonce } = signedOf(state);
        return [new TransactionSuperseded({ ...ended, txHash, nonce })];
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
      case 'TransactionConfirmed': return { status: 'confirmed', intent, txHash: event.data.txHash };
      case 'TransactionReverted': return { status: 'reverted', intent, txHash: event.data.txHash };
      case 'TransactionSuperseded': return { status: 'superseded', intent, txHash: event.data.txHash };
    }
  },
};

/** Once, in one form of amount and address; asked for again with other terms it is refused. */
function intend(wanted: TransactionPurpose, { chain, from }: Pick<Intent, 'chain' | 'from'>, state: ChainTransaction): ChainTransactionFact[] {
  const purpose = acceptable(wanted);
  if (state.status === 'absent') return [new TransactionIntended({ transactionId: transactionIdOf(purpose), chain, from, purpose })];
  if (canonicalJson(purpose) === canonicalJson(state.intent.purpose)) return [];
  switch (purpose.kind) {
    case 'mint': return refuse('mint-already-requested', 'this mint was requested with other terms');
    case 'redemption': return refuse('movement-already-requested', 'this redemption was requested with other terms');
    case 'token-movement': return refuse('movement-already-requested', 'this movement was requested with other terms');
  }
}

/** The terms in the form in which they are kept; refuses what cannot be carried out. */
function acceptable(wanted: TransactionPurpose): TransactionPurpose {
  switch (wanted.kind) {
    case 'mint': return acceptableMint(wanted);
    case 'redemption': return acceptableRedemption(wanted);
    case 'token-movement': return acceptableMovement(wanted);
  }
}

function served(purpose: TransactionPurpose): ServedPurpose {
  switch (purpose.kind) {
    case 'mint':
    case 'redemption': {
      const { kind, id, orderId, accountId } = purpose;
      return { kind, id, orderId, accountId };
    }
    case 'token-movement': return purpose;
  }
}

/** The owner of a movement is told of its hash; nobody waits for that of a mint. */
const waitedFor = (purpose: TransactionPurpose): Pick<TransactionSigned['data'], 'purpose'> => (purpose.kind === 'token-movement' ? { purpose } : {});

function signedOf(state: IntendedTransaction): Signed {
  if (state.status === 'signed') return state.signed;
  throw new Error(`a transaction that is ${state.status} has no bytes to send`);
}

/** False when it stands there already. */
function ends(state: IntendedTransaction, to: Status): boolean {
  if (state.status === to) return false;
  assertMove(chainTransactionMachine, state.status, to);
  return true;
}
