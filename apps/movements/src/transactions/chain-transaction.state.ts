import type {
  GiveUpReason,
  Timestamp,
  TransactionPurpose,
  TransactionConfirmed,
  TransactionIntended,
  TransactionSigned,
  TransferState,
} from '@ponte/contracts';
import type { StateMachine } from '@ponte/event-sourcing';
import { childId } from '@ponte/kernel';

export type Intent = TransactionIntended['data'];

/** Signed bytes, with the fees that they offer: wei for each unit of gas. */
export type Signed = Pick<
  TransactionSigned['data'],
  'nonce' | 'raw' | 'txHash' | 'maxFeePerGas' | 'maxPriorityFeePerGas'
>;

export type Mined = Pick<TransactionConfirmed['data'], 'txHash' | 'blockNumber' | 'blockHash' | 'minedAt'>;

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
  /** Of a payment of the treasury: it will be signed. Whichever of this and `give-up` comes first counts. */
  | { readonly kind: 'fund'; readonly at: Timestamp }
  /** It will never be signed. For `compliance`, its nonce was withheld before. */
  | { readonly kind: 'give-up'; readonly reason: GiveUpReason; readonly at: Timestamp }
  | { readonly kind: 'sign'; readonly signed: Signed }
  /** Does nothing when `replaces` is no longer what goes out: another has raised the fees. */
  | { readonly kind: 'raise-fee'; readonly signed: Signed; readonly replaces: string }
  | { readonly kind: 'confirm'; readonly mined: Mined; readonly final: boolean; readonly at: Timestamp }
  /** In no block any more, and this was where it had been confirmed. */
  | { readonly kind: 'reorg'; readonly blockHash: string; readonly at: Timestamp }
  | { readonly kind: 'revert'; readonly reason: string }
  | { readonly kind: 'supersede' };

export type IntendedTransaction = Exclude<ChainTransaction, { status: 'absent' }>;

export type Status = IntendedTransaction['status'];

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

/** A mint is what became of its transaction: its states are those of a transfer. */
const STATES: Readonly<Record<IntendedTransaction['status'], TransferState>> = {
  intended: 'created',
  signed: 'pending',
  confirmed: 'completed',
  reverted: 'failed',
  superseded: 'failed',
  'given-up': 'failed',
  // What was completed stays so: the house bears what a reorg took back.
  reorged: 'completed',
  lost: 'completed',
};

/** How far a movement is, by its transaction. */
export const transferStateOf = ({ status }: IntendedTransaction): TransferState => STATES[status];
