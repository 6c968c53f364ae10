import type { Failure, Timestamp, TransferState } from '@ponte/contracts';
import { transferMachine } from '@ponte/contracts';
import { assertMove } from '@ponte/event-sourcing';
import { fromIso } from '@ponte/kernel';
import { refuseKeyReused } from './transfer.errors';

/** A transfer of tokens or of a certificate, from its creation on. */
export interface Lifecycle<T> {
  readonly status: TransferState;
  readonly terms: T;
  /** The movement may be on the chain. */
  readonly sending: boolean;
  readonly txHash: string | null;
  readonly since: Timestamp;
  readonly failure: Failure | null;
}

/** What was asked for, and by whom. */
interface RequestedTerms {
  readonly createdBy: string;
  readonly bodyHash: string | null;
  readonly createdAt: Timestamp;
}

export type LifecycleCommand =
  | { readonly kind: 'start-sending'; readonly at: Timestamp }
  /** `replaces`: the hash that was shown before, when fees were raised. */
  | {
      readonly kind: 'note-pending';
      readonly txHash: string;
      readonly replaces: string | null;
      readonly at: Timestamp;
    }
  | { readonly kind: 'complete'; readonly txHash: string; readonly at: Timestamp }
  /** `ended`: of a transfer that was sent, its transaction has ended, or will never be signed. */
  | {
      readonly kind: 'fail';
      readonly ended: boolean;
      readonly txHash: string | null;
      readonly failure: Failure;
      readonly at: Timestamp;
    };

/** What a record shows of the progress. */
export const progressOf = ({ status: state, txHash, since: stateUpdatedAt, failure }: Lifecycle<unknown>) => ({
  txHash,
  state,
  stateUpdatedAt,
  failure,
});

/** How the steps are called in the resource's own stream. */
export interface LifecycleEvents<T, E> {
  started(terms: T, at: Timestamp): E;
  pending(terms: T, txHash: string, at: Timestamp): E;
  completed(terms: T, txHash: string, at: Timestamp): E;
  failed(terms: T, txHash: string | null, failure: Failure, at: Timestamp): E;
}

/** As it was when it was created: what the first answer said. */
export const begun = <T extends { readonly createdAt: Timestamp }>(terms: T): Lifecycle<T> => ({
  status: 'created',
  terms,
  sending: false,
  txHash: null,
  since: terms.createdAt,
  failure: null,
});

/** The event of a step, or none when it was done before. Throws for a move that the table of states does not have. */
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
      // Before the movement is intended, or after it has ended for good; never in between.
      if (!ended && sending) return [];
      return ends(state, 'failed', () => events.failed(terms, txHash, failure, at));
    }
  }
}

function ends<T, E>(state: Lifecycle<T>, to: 'completed' | 'failed', event: () => E): E[] {
  if (state.status === to) return [];
  // The confirmation may arrive before the signature when a policy runs late: the transfer was pending in between.
  assertMove(transferMachine, state.status === 'created' && state.sending ? 'pending' : state.status, to);
  return [event()];
}

/** As long as an idempotency key is remembered at the edge. */
const SAME_ANSWER_MS = 24 * 60 * 60 * 1_000;

/** Refuses another body or another caller under the same key. */
export function assertSameRequest(
  { createdBy, bodyHash }: RequestedTerms,
  again: { readonly createdBy: string; readonly bodyHash: string | null },
): void {
  if (createdBy !== again.createdBy || bodyHash !== again.bodyHash) refuseKeyReused();
}

/** What a repeated request is answered with: for a day as the first time, afterwards as it stands. */
export function answerable<T extends RequestedTerms>(
  state: Lifecycle<T>,
  again: { readonly callerAccountId: string; readonly bodyHash: string | null },
  now: number,
): Lifecycle<T> {
  assertSameRequest(state.terms, { createdBy: again.callerAccountId, bodyHash: again.bodyHash });
  return now - fromIso(state.terms.createdAt) < SAME_ANSWER_MS ? begun(state.terms) : state;
}
