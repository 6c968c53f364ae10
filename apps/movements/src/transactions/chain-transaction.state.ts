import type {
  GiveUpReason,
  KeyStatement,
  RevokedKey,
  Timestamp,
  TransactionPurpose,
  TransactionConfirmed,
  TransactionIntended,
  TransactionSigned,
  TransferState,
} from '@ponte/contracts';
import type { StateMachine } from '@ponte/event-sourcing';
import type { Chain } from '@ponte/kernel';
import { childId } from '@ponte/kernel';

export type Intent = TransactionIntended['data'];

/** Signed bytes and the fees that they offer, in wei for each unit of gas. */
export type Signed = Pick<
  TransactionSigned['data'],
  'nonce' | 'raw' | 'txHash' | 'maxFeePerGas' | 'maxPriorityFeePerGas'
>;

/** Why movements gives up a transaction by itself. */
export type UnsentReason = Exclude<GiveUpReason, 'key-unavailable'>;

export type Mined = Pick<TransactionConfirmed['data'], 'txHash' | 'blockNumber' | 'blockHash' | 'minedAt'>;

/** Where a transaction was confirmed. */
type BlockPosition = Pick<Mined, 'txHash' | 'blockNumber' | 'blockHash'>;

export interface Sent {
  readonly intent: Intent;
  /** The bytes that are sent: those with the highest fees. */
  readonly signed: Signed;
  /** All bytes that were ever signed with the nonce, oldest first. Any of them may be mined. */
  readonly attempts: readonly Signed[];
  /** How often a reorg removed the transaction after its completion. */
  readonly reorgs: number;
}

export type ChainTransaction =
  /** `refused`: it was refused before its intent, so it is given up as soon as it is intended. */
  | { readonly status: 'absent'; readonly refused?: GiveUpReason }
  /** `funded`: the treasury has set aside the amount, so the transaction is signed in any case. */
  | { readonly status: 'intended'; readonly intent: Intent; readonly funded: boolean }
  | { readonly status: 'given-up'; readonly intent: Intent; readonly reason: GiveUpReason }
  | ({ readonly status: 'signed' } & Sent)
  /** `sent` is null when another transaction had already had the effect before ours was signed. */
  | {
      readonly status: 'confirmed';
      readonly intent: Intent;
      readonly sent: Sent | null;
      readonly place: BlockPosition;
      readonly txHash: string;
    }
  /** Was confirmed, but is no longer in any block. */
  | ({ readonly status: 'reorged'; readonly txHash: string } & Sent)
  | { readonly status: 'reverted' | 'superseded' | 'lost'; readonly intent: Intent; readonly txHash: string };

export type ChainTransactionCommand =
  /** `from` is the address of the key that will sign. */
  | {
      readonly kind: 'intend';
      readonly purpose: TransactionPurpose;
      readonly intent: Pick<Intent, 'chain' | 'from' | 'intendedAt' | 'screenedAt'>;
      /** Id of the lost transaction that this one restores. The new transaction has its own id. */
      readonly restores?: string;
    }
  /** Its movement was refused. Does nothing when it is intended. */
  | {
      readonly kind: 'refuse';
      readonly transactionId: string;
      readonly chain: Chain;
      readonly reason: UnsentReason;
      readonly at: Timestamp;
    }
  /** The treasury pays it, so it will be signed. Whichever of this and `give-up` comes first takes effect. */
  | { readonly kind: 'fund'; readonly at: Timestamp }
  /** It will never be signed. Except for `liquidity-unavailable`, its nonce must have been withheld before. */
  | { readonly kind: 'give-up'; readonly reason: UnsentReason; readonly at: Timestamp }
  /** An operator states that its key will never be available. One that restores another is lost instead. */
  | {
      readonly kind: 'give-up-keyless';
      readonly statement: KeyStatement;
      /** The hash of the lost transaction that it restores; null when it restores none. */
      readonly lostTxHash: string | null;
      readonly at: Timestamp;
    }
  /**
   * As `give-up-keyless`, for signed bytes that can have no effect any more. Does nothing when `txHash` is not the hash
   * being sent: then not all of its bytes were checked.
   */
  | {
      readonly kind: 'give-up-signed';
      readonly statement: KeyStatement;
      readonly txHash: string;
      readonly revoked: RevokedKey;
      readonly at: Timestamp;
    }
  | { readonly kind: 'sign'; readonly signed: Signed }
  /** Does nothing when `replaces` is not the hash being sent, because the fees have been raised already. */
  | { readonly kind: 'raise-fee'; readonly signed: Signed; readonly replaces: string }
  | { readonly kind: 'confirm'; readonly mined: Mined; readonly final: boolean; readonly at: Timestamp }
  /** It is no longer in any block. `blockHash` is the block in which it had been confirmed. */
  | { readonly kind: 'reorg'; readonly blockHash: string; readonly at: Timestamp }
  | { readonly kind: 'revert'; readonly reason: string }
  | { readonly kind: 'supersede' };

export type IntendedTransaction = Exclude<ChainTransaction, { status: 'absent' }>;

export type Status = IntendedTransaction['status'];

/**
 * A signed transaction is sent until it is mined, another one with its nonce is final, or it can have no effect. Only a
 * reorg moves it back. A completed effect is never rolled back: if it is lost, another transaction can restore it.
 */
export const chainTransactionMachine: StateMachine<Status> = {
  // Confirmed without being signed by us: the contract had taken the reference before. Lost if it restores another.
  intended: ['signed', 'confirmed', 'given-up', 'lost'],
  'given-up': [],
  // Only a transaction that restores another is lost from here: no money may be returned for it.
  // Given up only when its contract accepts its key no longer.
  signed: ['confirmed', 'reverted', 'superseded', 'lost', 'given-up'],
  confirmed: ['reorged'],
  reorged: ['confirmed', 'lost'],
  reverted: [],
  superseded: [],
  lost: [],
};

/** Whether its effect was completed before, so that nothing may be returned for it. */
export const isRestoring = ({ intent }: { readonly intent: Intent }): boolean => intent.restores !== undefined;

/** Each resource makes its change on the chain with one transaction. */
export const transactionIdOf = ({ kind, id }: Pick<TransactionPurpose, 'kind' | 'id'>): string =>
  childId(id, 'transaction', kind);

/** The transaction that restores a lost one. It can be lost itself. */
export const restoringIdOf = (lostTransactionId: string): string => childId(lostTransactionId, 'restoring');

/** What was signed for the transaction; null when nothing was, or when it has failed or is lost. */
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

/** The state of a mint follows from its transaction, in terms of a transfer's states. */
const STATES: Readonly<Record<IntendedTransaction['status'], TransferState>> = {
  intended: 'created',
  signed: 'pending',
  confirmed: 'completed',
  reverted: 'failed',
  superseded: 'failed',
  'given-up': 'failed',
  // A completed movement stays completed: we bear the loss of a reorg.
  reorged: 'completed',
  lost: 'completed',
};

/** The state of a movement, according to its transaction. */
export const transferStateOf = ({ status }: IntendedTransaction): TransferState => STATES[status];
