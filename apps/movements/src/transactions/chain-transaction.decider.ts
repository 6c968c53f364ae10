import type { ChainTransactionEvent, Timestamp } from '@ponte/contracts';
import {
  ReorgedAfterCompletion,
  TransactionConfirmed,
  TransactionFeeRaised,
  TransactionFunded,
  TransactionGivenUp,
  TransactionIntended,
  TransactionLost,
  TransactionRefused,
  TransactionRestored,
  TransactionReverted,
  TransactionSigned,
  TransactionSuperseded,
} from '@ponte/contracts';
import type { Decider } from '@ponte/event-sourcing';
import { assertMove } from '@ponte/event-sourcing';
import { pick } from '@ponte/kernel';
import type {
  Intent,
  Signed,
  Mined,
  ChainTransaction,
  ChainTransactionCommand,
  IntendedTransaction,
  Status,
} from './chain-transaction.state';
import { chainTransactionMachine, isRestoring, sentIn } from './chain-transaction.state';
import { giveUp, giveUpSigned, refuseUnintended } from '../unsent/giving-up.domain';
import { intend, served, waitedFor } from './transaction-intent.domain';

const lost = ({ intent }: { readonly intent: Intent }, txHash: string, reason: string): ChainTransactionEvent[] => {
  const { transactionId, chain, purpose } = intent;
  return [new TransactionLost({ transactionId, chain, purpose, txHash, reason })];
};

export const chainTransaction: Decider<ChainTransactionCommand, ChainTransaction, ChainTransactionEvent> = {
  category: 'chainTransaction',
  continuesTrace: true,
  initial: { status: 'absent' },
  events: [
    TransactionRefused,
    TransactionIntended,
    TransactionFunded,
    TransactionGivenUp,
    TransactionSigned,
    TransactionFeeRaised,
    TransactionConfirmed,
    TransactionReverted,
    TransactionSuperseded,
    ReorgedAfterCompletion,
    TransactionRestored,
    TransactionLost,
  ],

  decide(command, state) {
    if (command.kind === 'intend') return intend(command, state);
    if (command.kind === 'refuse') return refuseUnintended(command, state);
    if (state.status === 'absent') throw new Error('the chain transaction was never intended');
    const { transactionId, chain, from, purpose } = state.intent;
    const about = { transactionId, chain };
    switch (command.kind) {
      case 'fund':
        return state.status === 'intended' && !state.funded
          ? [new TransactionFunded({ ...about, fundedAt: command.at })]
          : [];
      case 'give-up':
      case 'give-up-keyless':
        return giveUp(command, state);
      case 'give-up-signed':
        return giveUpSigned(command, state);
      // When another process signs again, the first bytes are kept: an intent has one nonce, and gets other bytes for
      // it only with raised fees.
      case 'sign':
        return state.status === 'intended'
          ? [new TransactionSigned({ ...about, from, ...command.signed, ...waitedFor(state.intent) })]
          : [];
      case 'raise-fee':
        return raiseFee(command.signed, command.replaces, state);
      case 'confirm':
        return confirm(command.mined, command.final, command.at, state);
      case 'reorg': {
        if (state.status !== 'confirmed' || state.sent === null || state.place.blockHash !== command.blockHash)
          return [];
        return [
          new ReorgedAfterCompletion({
            ...about,
            purpose,
            from,
            nonce: state.sent.signed.nonce,
            ...state.place,
            detectedAt: command.at,
          }),
        ];
      }
      case 'revert': {
        if (state.status === 'lost' || state.status === 'given-up') return [];
        if (state.status === 'reorged') return lost(state, state.txHash, command.reason);
        if (state.status === 'signed' && isRestoring(state)) return lost(state, state.signed.txHash, command.reason);
        return ends(state, 'reverted')
          ? [
              new TransactionReverted({
                ...about,
                purpose: served(purpose),
                txHash: signedOf(state).txHash,
                reason: command.reason,
              }),
            ]
          : [];
      }
      case 'supersede': {
        if (state.status === 'lost' || state.status === 'given-up') return [];
        if (state.status === 'reorged') return lost(state, state.txHash, 'superseded');
        if (state.status === 'signed' && isRestoring(state)) return lost(state, state.signed.txHash, 'superseded');
        if (!ends(state, 'superseded')) return [];
        const { txHash, nonce } = signedOf(state);
        return [new TransactionSuperseded({ ...about, purpose: served(purpose), txHash, nonce })];
      }
    }
  },

  evolve(state, event) {
    if (event.type === 'TransactionRefused') return { status: 'absent', refused: event.data.reason };
    if (event.type === 'TransactionIntended') return { status: 'intended', intent: event.data, funded: false };
    if (state.status === 'absent') throw new Error(`${event.type} of a chain transaction that was never intended`);
    const { intent } = state;
    switch (event.type) {
      case 'TransactionFunded':
        return { status: 'intended', intent, funded: true };
      case 'TransactionGivenUp':
        return { status: 'given-up', intent, reason: event.data.reason };
      case 'TransactionSigned': {
        const signed = bytesIn(event.data);
        return { status: 'signed', intent, signed, attempts: [signed], reorgs: 0 };
      }
      case 'TransactionFeeRaised': {
        const signed = bytesIn(event.data);
        const sent = sentIn(state);
        return sent && (state.status === 'signed' || state.status === 'reorged')
          ? { ...state, signed, attempts: [...sent.attempts, signed] }
          : state;
      }
      case 'TransactionConfirmed':
      case 'TransactionRestored': {
        const { txHash, blockNumber, blockHash } = event.data;
        return { status: 'confirmed', intent, sent: sentIn(state), place: { txHash, blockNumber, blockHash }, txHash };
      }
      case 'ReorgedAfterCompletion': {
        const sent = sentIn(state);
        if (sent === null) throw new Error('a reorg is recorded for a transaction that we never signed');
        return { ...sent, status: 'reorged', reorgs: sent.reorgs + 1, txHash: event.data.txHash };
      }
      case 'TransactionReverted':
        return { status: 'reverted', intent, txHash: event.data.txHash };
      case 'TransactionSuperseded':
        return { status: 'superseded', intent, txHash: event.data.txHash };
      case 'TransactionLost':
        return { status: 'lost', intent, txHash: event.data.txHash };
    }
  },
};

function raiseFee(signed: Signed, replaces: string, state: IntendedTransaction): ChainTransactionEvent[] {
  if ((state.status !== 'signed' && state.status !== 'reorged') || state.signed.txHash !== replaces) return [];
  if (signed.nonce !== state.signed.nonce)
    throw new Error('raised fees must be for the nonce of the bytes that they replace');
  const { transactionId, chain, from } = state.intent;
  return [new TransactionFeeRaised({ transactionId, chain, from, ...signed, replaces, ...waitedFor(state.intent) })];
}

function confirm(mined: Mined, final: boolean, at: Timestamp, state: IntendedTransaction): ChainTransactionEvent[] {
  if (!ends(state, 'confirmed')) return [];
  const { transactionId, chain, from, purpose } = state.intent;
  const ours = sentIn(state)?.attempts.find(({ txHash }) => txHash === mined.txHash);
  const by = { from, nonce: ours?.nonce ?? null, final };
  return state.status === 'reorged' || isRestoring(state)
    ? [new TransactionRestored({ transactionId, chain, purpose, ...mined, restoredAt: at, ...by })]
    : [new TransactionConfirmed({ transactionId, chain, purpose: served(purpose), ...mined, confirmedAt: at, ...by })];
}

const bytesIn = (data: Signed): Signed => pick(data, 'nonce', 'raw', 'txHash', 'maxFeePerGas', 'maxPriorityFeePerGas');

function signedOf(state: IntendedTransaction): Signed {
  if (state.status === 'signed') return state.signed;
  throw new Error(`a transaction that is ${state.status} has no bytes to send`);
}

/** False when it is in that state already. Throws when the move is not allowed. */
function ends(state: IntendedTransaction, to: Status): boolean {
  if (state.status === to) return false;
  assertMove(chainTransactionMachine, state.status, to);
  return true;
}
