import type { ChainTransactionEvent, ServedPurpose, Timestamp, TransactionPurpose } from '@ponte/contracts';
import {
  ReorgedAfterCompletion,
  TransactionConfirmed,
  TransactionFeeRaised,
  TransactionFunded,
  TransactionGivenUp,
  TransactionIntended,
  TransactionLost,
  TransactionRestored,
  TransactionReverted,
  TransactionSigned,
  TransactionSuperseded,
} from '@ponte/contracts';
import type { Decider, StateMachine } from '@ponte/event-sourcing';
import { assertMove } from '@ponte/event-sourcing';
import { canonicalJson, childId, refuse } from '@ponte/kernel';
import { acceptableMovement } from '../../token-movement/token-movement';
import { acceptableCertificatePurpose } from '../../certificates/certificate-purpose';
import { acceptableMint } from '../mint/mint';
import { acceptableRedemption } from '../redemption/redemption';

export type Intent = TransactionIntended['data'];
/** Signed bytes, with the fees that they offer: wei for each unit of gas. */
export type Signed = Pick<
  TransactionSigned['data'],
  'nonce' | 'raw' | 'txHash' | 'maxFeePerGas' | 'maxPriorityFeePerGas'
>;
type Mined = Pick<TransactionConfirmed['data'], 'txHash' | 'blockNumber' | 'blockHash' | 'minedAt'>;
/** Where a transaction was confirmed. */
type Place = Pick<Mined, 'txHash' | 'blockNumber' | 'blockHash'>;

interface Sent {
  readonly intent: Intent;
  /** The bytes that go out: those with the highest fees. */
  readonly signed: Signed;
  /** All that were ever signed under the nonce, oldest first. Any of them may be mined. */
  readonly attempts: readonly Signed[];
  /** How often the transaction was taken back after its completion. */
  readonly reorgs: number;
}

export type ChainTransaction =
  | { readonly status: 'absent' }
  /** `funded`: the treasury has set aside what it pays, so that it is signed in any case. */
  | { readonly status: 'intended'; readonly intent: Intent; readonly funded: boolean }
  | { readonly status: 'given-up'; readonly intent: Intent }
  | ({ readonly status: 'signed' } & Sent)
  /** `sent` is null when another transaction had brought the effect about before ours was signed. */
  | {
      readonly status: 'confirmed';
      readonly intent: Intent;
      readonly sent: Sent | null;
      readonly place: Place;
      readonly txHash: string;
    }
  /** Confirmed once, and in no block any more. */
  | ({ readonly status: 'reorged'; readonly txHash: string } & Sent)
  | { readonly status: 'reverted' | 'superseded' | 'lost'; readonly intent: Intent; readonly txHash: string };

export type ChainTransactionCommand =
  /** `from` is the address of the key that will sign. */
  | {
      readonly kind: 'intend';
      readonly purpose: TransactionPurpose;
      readonly intent: Pick<Intent, 'chain' | 'from' | 'intendedAt'>;
      /** A lost transaction: this one has an id of its own. */
      readonly restores?: string;
    }
  /** Of a payment of the treasury, before it is signed: it will be, or it never will. Whichever comes first counts. */
  | { readonly kind: 'fund' | 'give-up'; readonly at: Timestamp }
  | { readonly kind: 'sign'; readonly signed: Signed }
  /** Does nothing when `replaces` is no longer what goes out: another has raised the fees. */
  | { readonly kind: 'raise-fee'; readonly signed: Signed; readonly replaces: string }
  | { readonly kind: 'confirm'; readonly mined: Mined; readonly final: boolean; readonly at: Timestamp }
  /** In no block any more, and this was where it had been confirmed. */
  | { readonly kind: 'reorg'; readonly blockHash: string; readonly at: Timestamp }
  | { readonly kind: 'revert'; readonly reason: string }
  | { readonly kind: 'supersede' };

export type IntendedTransaction = Exclude<ChainTransaction, { status: 'absent' }>;
type Status = IntendedTransaction['status'];

/**
 * What is signed is sent until it is mined, or until its nonce is gone for good. Only a reorg leads back, and what it
 * took back is never rolled back: when it is lost, another transaction can restore it.
 */
export const chainTransactionMachine: StateMachine<Status> = {
  // Confirmed without bytes of ours: the chain had taken the reference before.
  intended: ['signed', 'confirmed', 'given-up'],
  'given-up': [],
  // Lost only what restores another: nothing may be given back for it.
  signed: ['confirmed', 'reverted', 'superseded', 'lost'],
  confirmed: ['reorged'],
  reorged: ['confirmed', 'lost'],
  reverted: [],
  superseded: [],
  lost: [],
};

/** What a resource has to do on the chain is done by one transaction. */
export const transactionIdOf = ({ kind, id }: Pick<TransactionPurpose, 'kind' | 'id'>): string =>
  childId(id, 'transaction', kind);

/** The transaction that restores a lost one. It can be lost itself. */
export const restoringIdOf = (lostTransactionId: string): string => childId(lostTransactionId, 'restoring');

const isRestoring = ({ intent }: { readonly intent: Intent }): boolean => intent.restores !== undefined;

const lost = ({ intent }: { readonly intent: Intent }, txHash: string, reason: string): ChainTransactionEvent[] => {
  const { transactionId, chain, purpose } = intent;
  return [new TransactionLost({ transactionId, chain, purpose, txHash, reason })];
};

export const chainTransaction: Decider<ChainTransactionCommand, ChainTransaction, ChainTransactionEvent> = {
  category: 'chainTransaction',
  continuesTrace: true,
  initial: { status: 'absent' },
  events: [
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
    if (state.status === 'absent') throw new Error('a chain transaction that no one intended');
    const { transactionId, chain, from, purpose } = state.intent;
    const about = { transactionId, chain };
    switch (command.kind) {
      case 'fund':
        return state.status === 'intended' && !state.funded
          ? [new TransactionFunded({ ...about, fundedAt: command.at })]
          : [];
      case 'give-up': {
        // The customer has paid long ago: what restores is paid as soon as the treasury can.
        if (state.status !== 'intended' || state.funded || isRestoring(state) || !ends(state, 'given-up')) return [];
        return [
          new TransactionGivenUp({
            ...about,
            purpose: served(purpose),
            reason: 'liquidity-unavailable',
            givenUpAt: command.at,
          }),
        ];
      }
      // The first signed bytes are kept when another process signs again: an intent has one nonce, and other bytes
      // under it only with raised fees.
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
        if (state.status === 'lost') return [];
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
        if (state.status === 'lost') return [];
        if (state.status === 'reorged') return lost(state, state.txHash, 'superseded');
        if (state.status === 'signed' && isRestoring(state)) return lost(state, state.signed.txHash, 'superseded');
        if (!ends(state, 'superseded')) return [];
        const { txHash, nonce } = signedOf(state);
        return [new TransactionSuperseded({ ...about, purpose: served(purpose), txHash, nonce })];
      }
    }
  },

  evolve(state, event) {
    if (event.type === 'TransactionIntended') return { status: 'intended', intent: event.data, funded: false };
    if (state.status === 'absent') throw new Error(`${event.type} of a chain transaction that no one intended`);
    const { intent } = state;
    switch (event.type) {
      case 'TransactionFunded':
        return { status: 'intended', intent, funded: true };
      case 'TransactionGivenUp':
        return { status: 'given-up', intent };
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
        if (sent === null) throw new Error('a transaction without bytes of ours was taken back');
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
    throw new Error('raised fees are for the nonce of the bytes that they replace');
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

const bytesIn = ({ nonce, raw, txHash, maxFeePerGas, maxPriorityFeePerGas }: Signed): Signed => ({
  nonce,
  raw,
  txHash,
  maxFeePerGas,
  maxPriorityFeePerGas,
});

/** What was signed for it; null for a transaction of which nothing was, or that has ended. */
export function sentIn(state: ChainTransaction): Sent | null {
  switch (state.status) {
    case 'signed':
    case 'reorged':
      return { intent: state.intent, signed: state.signed, attempts: state.attempts, reorgs: state.reorgs };
    case 'confirmed':
      return state.sent;
    default:
      return null;
  }
}

/** Once, in one form of amount and address; asked for again with other terms it is refused. */
function intend(
  { purpose: wanted, intent, restores }: Extract<ChainTransactionCommand, { kind: 'intend' }>,
  state: ChainTransaction,
): ChainTransactionEvent[] {
  const purpose = acceptable(wanted);
  if (state.status === 'absent') {
    const { chain, from, intendedAt } = intent;
    const about = { chain, from, purpose, intendedAt };
    return restores === undefined
      ? [new TransactionIntended({ transactionId: transactionIdOf(purpose), ...about })]
      : [new TransactionIntended({ transactionId: restoringIdOf(restores), ...about, restores })];
  }
  if (canonicalJson(purpose) === canonicalJson(state.intent.purpose)) return [];
  switch (purpose.kind) {
    case 'mint':
      return refuse('mint-already-requested', 'this mint was requested with other terms');
    case 'redemption':
      return refuse('movement-already-requested', 'this redemption was requested with other terms');
    case 'token-movement':
      return refuse('movement-already-requested', 'this movement was requested with other terms');
    case 'certificate-mint':
    case 'nft-movement':
      return refuse('movement-already-requested', 'this movement of a certificate was requested with other terms');
  }
}

/** The terms in the form in which they are kept; refuses what cannot be carried out. */
function acceptable(wanted: TransactionPurpose): TransactionPurpose {
  switch (wanted.kind) {
    case 'mint':
      return acceptableMint(wanted);
    case 'redemption':
      return acceptableRedemption(wanted);
    case 'token-movement':
      return acceptableMovement(wanted);
    case 'certificate-mint':
    case 'nft-movement':
      return acceptableCertificatePurpose(wanted);
  }
}

function served(purpose: TransactionPurpose): ServedPurpose {
  switch (purpose.kind) {
    case 'mint':
    case 'redemption': {
      const { kind, id, orderId, accountId } = purpose;
      return { kind, id, orderId, accountId };
    }
    case 'token-movement':
    case 'certificate-mint':
    case 'nft-movement':
      return purpose;
  }
}

/** The owner of a movement receives its hash; nothing waits for the hash of a mint, or of a completed movement. */
const waitedFor = ({ purpose, restores }: Intent): Pick<TransactionSigned['data'], 'purpose'> =>
  restores === undefined && (purpose.kind === 'token-movement' || purpose.kind === 'nft-movement') ? { purpose } : {};

function signedOf(state: IntendedTransaction): Signed {
  if (state.status === 'signed') return state.signed;
  throw new Error(`a transaction that is ${state.status} has no bytes to send`);
}

/** False when it is recorded already. */
function ends(state: IntendedTransaction, to: Status): boolean {
  if (state.status === to) return false;
  assertMove(chainTransactionMachine, state.status, to);
  return true;
}
