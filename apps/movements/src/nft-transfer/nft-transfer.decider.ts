import type { NftTransferEvent, NftTransferRecord } from '@ponte/contracts';
import {
  NFT_TRANSFER_EVENTS,
  NftTransferCompleted,
  NftTransferCreated,
  NftTransferFailed,
  NftTransferPending,
  NftTransferSendingStarted,
} from '@ponte/contracts';
import type { Decider } from '@ponte/event-sourcing';
import { behindEvent } from '@ponte/event-sourcing';
import { pick } from '@ponte/kernel';
import type { OpenedTransfer } from '../certificates/certificate.decider';
import type { Lifecycle, LifecycleCommand, LifecycleEvents } from '../transfer/transfer-lifecycle.domain';
import { assertSameRequest, begun, decideStep, progressOf, signed } from '../transfer/transfer-lifecycle.domain';
import { refuseKeyReused } from '../transfer/transfer.errors';

type CreatedNftTransfer = Lifecycle<OpenedTransfer>;
export type NftTransfer = { readonly status: 'absent' } | CreatedNftTransfer;
type NftTransferCommand = { readonly kind: 'create'; readonly terms: OpenedTransfer } | LifecycleCommand;

/** Stream `nftTransfer-<transferId>`. Every command may be repeated: a step that is done already emits nothing. */
export const nftTransfer: Decider<NftTransferCommand, NftTransfer, NftTransferEvent> = {
  category: 'nftTransfer',
  continuesTrace: true,
  initial: { status: 'absent' },
  events: NFT_TRANSFER_EVENTS,

  decide(command, state) {
    return command.kind === 'create' ? create(command.terms, state) : decideStep(command, created(state), EVENTS);
  },

  evolve(state, event) {
    switch (event.type) {
      case 'NftTransferCreated':
        return begun(event.data);
      case 'NftTransferSendingStarted':
        return { ...created(state), sending: true };
      case 'NftTransferPending':
        return signed(created(state), event.data);
      case 'NftTransferCompleted':
        return { ...created(state), status: 'completed', txHash: event.data.txHash, since: event.data.completedAt };
      case 'NftTransferFailed': {
        const { txHash, failedAt: since, failure } = event.data;
        return { ...created(state), status: 'failed', txHash, since, failure };
      }
    }
  },
};

/** The transfer as other services see it; null before it was created. */
export function nftTransferRecord(state: NftTransfer): NftTransferRecord | null {
  if (state.status === 'absent') return null;
  const { terms } = state;
  return {
    id: terms.transferId,
    ...pick(terms, 'accountId', 'certificateId', 'sourceAddress', 'targetAddress'),
    ...pick(terms, 'createdAt', 'createdBy', 'createdByApiKey', 'externalId'),
    ...progressOf(state),
  };
}

function create(terms: OpenedTransfer, state: NftTransfer): NftTransferEvent[] {
  if (state.status === 'absent') return [new NftTransferCreated(terms)];
  assertSameRequest(state.terms, terms);
  return state.terms.certificateId === terms.certificateId ? [] : refuseKeyReused();
}

const published = (terms: OpenedTransfer) => ({
  ...pick(terms, 'transferId', 'accountId', 'createdBy', 'createdByApiKey'),
  ...pick(terms, 'certificateId', 'sourceAddress', 'targetAddress'),
});

const EVENTS: LifecycleEvents<OpenedTransfer, NftTransferEvent> = {
  started: ({ transferId, accountId }, startedAt) =>
    new NftTransferSendingStarted({ transferId, accountId, startedAt }),
  pending: (terms, txHash, pendingAt) => new NftTransferPending({ ...published(terms), txHash, pendingAt }),
  completed: (terms, txHash, completedAt) => new NftTransferCompleted({ ...published(terms), txHash, completedAt }),
  failed: (terms, txHash, failure, failedAt) =>
    new NftTransferFailed({ ...published(terms), txHash, failure, failedAt }),
};

function created(state: NftTransfer): CreatedNftTransfer {
  return state.status === 'absent' ? behindEvent('an NFT transfer', state.status) : state;
}
