import type { Failure, Timestamp, TransferState } from '@ponte/contracts';
import { transferMachine } from '@ponte/contracts';
import { assertMove } from '@ponte/event-sourcing';
import { repeatsFirstResponse } from '@ponte/kernel';
import { refuseKeyReused } from './transfer.errors';

/** A transfer of tokens or of a certificate, since its creation. */
export interface Lifecycle<T> {
  readonly status: TransferState;
  readonly terms: T;
  /** Whether the movement may be on the chain. */
  readonly sending: boolean;
  readonly txHash: string | null;
  /** When the transaction was signed first. */
  readonly signedAt?: Timestamp;
  readonly since: Timestamp;
  readonly failure: Failure | null;
}

/** The terms that identify a request. */
interface RequestedTerms {
  readonly createdBy: string;
  readonly bodyHash: string | null;
  readonly createdAt: Timestamp;
}

export type LifecycleCommand =
  | { readonly kind: 'start-sending'; readonly at: Timestamp }
  /** `replaces`: the previous hash, when fees were raised. */
  | {
      readonly kind: 'note-pending';
      readonly txHash: string;
      readonly replaces: string | null;
      readonly at: Timestamp;
    }
  | { readonly kind: 'complete'; readonly txHash: string; readonly at: Timestamp }
  /** `ended`: the transaction has ended or will never be signed. Otherwise only an unsent transfer fails. */
  | {
      readonly kind: 'fail';
      readonly ended: boolean;
      readonly txHash: string | null;
      readonly failure: Failure;
      readonly at: Timestamp;
    };

/** The part of a record that shows the progress. */
export const progressOf = ({
  status: state,
  txHash,
  signedAt,
  since: stateUpdatedAt,
  failure,
}: Lifecycle<unknown>) => ({
  txHash,
  ...(state === 'pending' && signedAt !== undefined && { signedAt }),
  state,
  stateUpdatedAt,
  failure,
});

/** Creates the events of the steps in the resource's own stream. */
export interface LifecycleEvents<T, E> {
  started(terms: T, at: Timestamp): E;
  pending(terms: T, txHash: string, at: Timestamp): E;
  completed(terms: T, txHash: string, at: Timestamp): E;
  failed(terms: T, txHash: string | null, failure: Failure, at: Timestamp): E;
}

/** The state right after creation, as in the first answer. */
export const begun = <T extends { readonly createdAt: Timestamp }>(terms: T): Lifecycle<T> => ({
  status: 'created',
  terms,
  sending: false,
  txHash: null,
  since: terms.createdAt,
  failure: null,
});

/** The state after the transaction was signed, or its fee was raised. */
export const signed = <T>(
  state: Lifecycle<T>,
  { txHash, pendingAt }: { readonly txHash: string; readonly pendingAt: Timestamp },
): Lifecycle<T> => ({
  ...state,
  status: 'pending',
  txHash,
  signedAt: state.signedAt ?? pendingAt,
  since: pendingAt,
});

/** The event of a step; none when it is done already. Throws for a move that the state machine does not allow. */
export function decideStep<T, E>(command: LifecycleCommand, state: Lifecycle<T>, events: LifecycleEvents<T, E>): E[] {
  const { status, sending, terms } = state;
  switch (command.kind) {
    case 'start-sending':
      return status !== 'created' || sending ? [] : [events.started(terms, command.at)];
    case 'note-pending':
      return status === 'created' || (status === 'pending' && state.txHash === command.replaces)
        ? [events.pending(terms, command.txHash, command.at)]
        : [];
    case 'complete':
      return ends(state, 'completed', () => events.completed(terms, command.txHash, command.at));
    case 'fail': {
      const { ended, txHash, failure, at } = command;
      // Allowed before the movement is intended or after it has ended, but not in between.
      if (!ended && sending) return [];
      return ends(state, 'failed', () => events.failed(terms, txHash, failure, at));
    }
  }
}

function ends<T, E>(state: Lifecycle<T>, to: 'completed' | 'failed', event: () => E): E[] {
  if (state.status === to) return [];
  // When a policy is late, the confirmation may arrive before the signature: the transfer was pending in between.
  assertMove(transferMachine, state.status === 'created' && state.sending ? 'pending' : state.status, to);
  return [event()];
}

/** Refuses another body or caller with the same key. */
export function assertSameRequest(
  { createdBy, bodyHash }: RequestedTerms,
  again: { readonly createdBy: string; readonly bodyHash: string | null },
): void {
  if (createdBy !== again.createdBy || bodyHash !== again.bodyHash) refuseKeyReused();
}

/** The answer to a repeated request: for a day the first answer, afterwards the current state. */
export function answerable<T extends RequestedTerms>(
  state: Lifecycle<T>,
  again: { readonly callerAccountId: string; readonly bodyHash: string | null },
  now: number,
): Lifecycle<T> {
  assertSameRequest(state.terms, { createdBy: again.callerAccountId, bodyHash: again.bodyHash });
  return repeatsFirstResponse(state.terms.createdAt, now) ? begun(state.terms) : state;
}
