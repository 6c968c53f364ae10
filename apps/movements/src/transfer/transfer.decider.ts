import type { Failure, Timestamp, TransferFact, TransferRecord, TransferState } from '@ponte/contracts';
import {
  TransferAbandoned, TransferCompleted, TransferCreated, TransferFailed, TransferPending, TransferSendingStarted, transferMachine,
} from '@ponte/contracts';
import type { Decider } from '@ponte/event-sourcing';
import { assertMove, behindEvent } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { HoldAbandoned, refuseKeyReused } from './transfer.errors';

/** What was asked for, and what was found when it was. */
export type TransferTerms = TransferCreated['data'];

export interface CreatedTransfer {
  readonly status: TransferState;
  readonly terms: TransferTerms;
  /** The movement may be on the chain. */
  readonly sending: boolean;
  readonly txHash: string | null;
  readonly since: Timestamp;
  readonly failure: Failure | null;
}

/** `abandoned`: holds that were given up before a transfer named them. */
export type Transfer = { readonly status: 'absent'; readonly abandoned: readonly string[] } | CreatedTransfer;

export type TransferCommand =
  | { readonly kind: 'create'; readonly terms: TransferTerms }
  /** Of a hold that no transfer names. */
  | { readonly kind: 'abandon'; readonly transferId: string; readonly accountId: string; readonly holdId: string; readonly at: Timestamp }
  | { readonly kind: 'start-sending'; readonly at: Timestamp }
  | { readonly kind: 'note-pending'; readonly txHash: string; readonly at: Timestamp }
  | { readonly kind: 'complete'; readonly txHash: string; readonly at: Timestamp }
  | { readonly kind: 'fail'; readonly txHash: string | null; readonly failure: Failure; readonly at: Timestamp };

/** The hold of an attempt; one that was abandoned is not used again. */
export const holdIdOf = (transferId: string, abandoned: number): string => derivedId('transfer-hold', transferId, String(abandoned));

/** Stream `transfer-<transferId>`. What is done already is nothing: every step may be asked for again. */
export const transfer: Decider<TransferCommand, Transfer, TransferFact> = {
  category: 'transfer',
  errand: true,
  initial: { status: 'absent', abandoned: [] },
  events: [TransferCreated, TransferAbandoned, TransferSendingStarted, TransferPending, TransferCompleted, TransferFailed],

  decide(command, state) {
    switch (command.kind) {
      case 'create': return create(command.terms, state);
      case 'abandon': {
        if (state.status !== 'absent' || state.abandoned.includes(command.holdId)) return [];
        const { transferId, accountId, holdId, at } = command;
        return [new TransferAbandoned({ transferId, accountId, holdId, abandonedAt: at })];
      }
      case 'start-sending': {
        const { status, sending, terms: { transferId, accountId } } = created(state);
        return status !== 'created' || sending ? [] : [new TransferSendingStarted({ transferId, accountId, startedAt: command.at })];
      }
      case 'note-pending': {
        const { status, terms } = created(state);
        return status === 'created' ? [new TransferPending({ ...published(terms), txHash: command.txHash, pendingAt: command.at })] : [];
      }
      case 'complete': return ends(created(state), 'completed', (terms) => new TransferCompleted({ ...published(terms), txHash: command.txHash, completedAt: command.at }));
      case 'fail': return fail(command, created(state));
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'TransferCreated':
        return { status: 'created', terms: event.data, sending: false, txHash: null, since: event.data.createdAt, failure: null };
      case 'TransferAbandoned': return { status: 'absent', abandoned: [...abandonedIn(state), event.data.holdId] };
      case 'TransferSendingStarted': return { ...created(state), sending: true };
      case 'TransferPending': return { ...created(state), status: 'pending', txHash: event.data.txHash, since: event.data.pendingAt };
      case 'TransferCompleted': return { ...created(state), status: 'completed', txHash: event.data.txHash, since: event.data.completedAt };
      case 'TransferFailed':
        return { ...created(state), status: 'failed', txHash: event.data.txHash, since: event.data.failedAt, failure: event.data.failure };
    }
  },
};

/** The holds that were given up; none of a transfer that was created. */
export const abandonedIn = (state: Transfer): readonly string[] => (state.status === 'absent' ? state.abandoned : []);

/** As it is told outside; null while there is none. */
export function transferRecord(state: Transfer): TransferRecord | null {
  if (state.status === 'absent') return null;
  const { status, terms: { transferId: id, accountId, asset, amount, sourceAddress, targetAddress, createdAt, externalId }, txHash, since, failure } = state;
  return { id, accountId, asset, amount, sourceAddress, targetAddress, txHash, state: status, createdAt, stateUpdatedAt: since, externalId, failure };
}

/** As it was when it was created: what the first answer said. */
export const asCreated = ({ terms }: CreatedTransfer): CreatedTransfer =>
  ({ status: 'created', terms, sending: false, txHash: null, since: terms.createdAt, failure: null });

function create(terms: TransferTerms, state: Transfer): TransferFact[] {
  if (state.status !== 'absent') {
    const { createdBy, bodyHash } = state.terms;
    return createdBy === terms.createdBy && bodyHash === terms.bodyHash ? [] : refuseKeyReused();
  }
  // The sweeper was faster: the money is available to others again, so this attempt needs another hold.
  if (state.abandoned.includes(terms.holdId)) throw new HoldAbandoned();
  return [new TransferCreated(terms)];
}

/** Before the movement is intended, or after the chain has refused it for good; never in between. */
function fail({ failure, txHash, at }: Extract<TransferCommand, { kind: 'fail' }>, state: CreatedTransfer): TransferFact[] {
  if (txHash === null && state.sending) return [];
  return ends(state, 'failed', (terms) => new TransferFailed({ ...published(terms), txHash, failure, failedAt: at }));
}

function ends(state: CreatedTransfer, to: 'completed' | 'failed', event: (terms: TransferTerms) => TransferFact): TransferFact[] {
  if (state.status === to) return [];
  // The chain may be told of before the signature is, when a policy runs late: the transfer was pending in between.
  assertMove(transferMachine, state.status === 'created' && state.sending ? 'pending' : state.status, to);
  return [event(state.terms)];
}

const published = ({ transferId, accountId, createdBy, createdByApiKey, asset, amount, sourceAddress, targetAddress }: TransferTerms) =>
  ({ transferId, accountId, createdBy, createdByApiKey, asset, amount, sourceAddress, targetAddress });

function created(state: Transfer): CreatedTransfer {
  return state.status === 'absent' ? behindEvent('a transfer', state.status) : state;
}
