import type { Timestamp, TransferEvent, TransferRecord } from '@ponte/contracts';
import {
  TRANSFER_EVENTS,
  TransferAbandoned,
  TransferCompleted,
  TransferCreated,
  TransferFailed,
  TransferPending,
  TransferSendingStarted,
} from '@ponte/contracts';
import type { Decider } from '@ponte/event-sourcing';
import { behindEvent } from '@ponte/event-sourcing';
import { derivedId, pick } from '@ponte/kernel';
import type { Lifecycle, LifecycleCommand, LifecycleEvents } from './transfer-lifecycle.domain';
import { assertSameRequest, begun, decideStep, progressOf, signed } from './transfer-lifecycle.domain';
import { HoldAbandoned } from './transfer.errors';

/** The requested terms, and the facts found at that time. */
export type TransferTerms = TransferCreated['data'];

type CreatedTransfer = Lifecycle<TransferTerms>;

/** `abandoned`: holds that were given up before a transfer used them. */
export type Transfer = { readonly status: 'absent'; readonly abandoned: readonly string[] } | CreatedTransfer;

type TransferCommand =
  | { readonly kind: 'create'; readonly terms: TransferTerms }
  /** Gives up a hold that no transfer uses. */
  | {
      readonly kind: 'abandon';
      readonly transferId: string;
      readonly accountId: string;
      readonly holdId: string;
      readonly at: Timestamp;
    }
  | LifecycleCommand;

/** The hold of an attempt. An abandoned hold is not used again. */
export const holdIdOf = (transferId: string, abandoned: number): string =>
  derivedId('transfer-hold', transferId, String(abandoned));

/** Stream `transfer-<transferId>`. Every command may be repeated: a step that is done already emits nothing. */
export const transfer: Decider<TransferCommand, Transfer, TransferEvent> = {
  category: 'transfer',
  continuesTrace: true,
  initial: { status: 'absent', abandoned: [] },
  creation: TransferCreated,
  events: TRANSFER_EVENTS,

  decide(command, state) {
    switch (command.kind) {
      case 'create':
        return create(command.terms, state);
      case 'abandon': {
        if (state.status !== 'absent' || state.abandoned.includes(command.holdId)) return [];
        const { transferId, accountId, holdId, at } = command;
        return [new TransferAbandoned({ transferId, accountId, holdId, abandonedAt: at })];
      }
      default:
        return decideStep(command, created(state), EVENTS);
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'TransferCreated':
        return begun(event.data);
      case 'TransferAbandoned':
        return { status: 'absent', abandoned: [...abandonedIn(state), event.data.holdId] };
      case 'TransferSendingStarted':
        return { ...created(state), sending: true };
      case 'TransferPending':
        return signed(created(state), event.data);
      case 'TransferCompleted':
        return { ...created(state), status: 'completed', txHash: event.data.txHash, since: event.data.completedAt };
      case 'TransferFailed': {
        const { txHash, failedAt: since, failure } = event.data;
        return { ...created(state), status: 'failed', txHash, since, failure };
      }
    }
  },
};

/** The holds that were given up; empty for a created transfer. */
export const abandonedIn = (state: Transfer): readonly string[] => (state.status === 'absent' ? state.abandoned : []);

/** The transfer as other services see it, or null. */
export function transferRecord(state: Transfer): TransferRecord | null {
  if (state.status === 'absent') return null;
  const { terms } = state;
  const shown = pick(
    terms,
    'accountId',
    'asset',
    'amount',
    'sourceAddress',
    'targetAddress',
    'createdAt',
    'externalId',
  );
  return { id: terms.transferId, ...shown, ...progressOf(state) };
}

function create(terms: TransferTerms, state: Transfer): TransferEvent[] {
  if (state.status !== 'absent') {
    assertSameRequest(state.terms, terms);
    return [];
  }
  // The sweep has released the hold, so its amount is available again and this attempt needs another hold.
  if (state.abandoned.includes(terms.holdId)) throw new HoldAbandoned();
  return [new TransferCreated(terms)];
}

const published = (terms: TransferTerms) => ({
  ...pick(terms, 'transferId', 'accountId', 'createdBy', 'createdByApiKey'),
  ...pick(terms, 'asset', 'amount', 'sourceAddress', 'targetAddress'),
});

const EVENTS: LifecycleEvents<TransferTerms, TransferEvent> = {
  started: ({ transferId, accountId }, startedAt) => new TransferSendingStarted({ transferId, accountId, startedAt }),
  pending: (terms, txHash, pendingAt) => new TransferPending({ ...published(terms), txHash, pendingAt }),
  completed: (terms, txHash, completedAt) => new TransferCompleted({ ...published(terms), txHash, completedAt }),
  failed: (terms, txHash, failure, failedAt) => new TransferFailed({ ...published(terms), txHash, failure, failedAt }),
};

function created(state: Transfer): CreatedTransfer {
  return state.status === 'absent' ? behindEvent('a transfer', state.status) : state;
}
