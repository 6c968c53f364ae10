import type { PublishedEnvelope } from '@ponte/contracts';
import { isBankCoordinates } from '@ponte/contracts';
import type { Recorded, Sealed } from '@ponte/event-sourcing';
import { categoryOf, idOf } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import type { PublishedEvent, SourceEvent } from './published-events.domain';
import { payloadsOf, publishedEvents, referencesIn } from './published-events.domain';

/** What is needed from the earlier events of a resource to publish its next event. */
export interface PublicationHistory {
  /** Revision of the last event included, -1 at first. */
  readonly revision: number;
  readonly accountId: string | null;
  readonly parentId: string | null;
  /** The API's name for the state. */
  readonly state: string | null;
  /** Of a deposit. */
  readonly sourceBankCode: string | null;
  /** Of a deposit. */
  readonly sourceTaxId: Sealed | null;
  /** Of the resource, from its first event. */
  readonly references: PublishedEnvelope['payload'];
  readonly published: readonly PublishedEvent[];
}

/** An envelope for one audience: the account that owns the resource, or its parent. */
export interface Publication {
  readonly audience: string;
  readonly envelope: PublishedEnvelope;
  /** What was published about the resource before, oldest first. */
  readonly earlier: readonly PublishedEvent[];
  readonly source: Pick<Recorded, 'id' | 'position' | 'meta'>;
  /** When it was released, if it was parked; `source` then has the position of the release. */
  readonly publishedAt?: string;
}

const RESOURCE_TYPES: Readonly<Record<string, PublishedEnvelope['resourceType']>> = {
  order: 'order',
  deposit: 'deposit',
  withdrawal: 'withdrawal',
  accountRequest: 'account-request',
  account: 'account',
  transfer: 'transfer',
  nftTransfer: 'nft-transfer',
};

/**
 * The event id that the audience sees. It is the same however often the event is published or sent. Each audience has
 * an outbox of its own, so account and parent see different ids for one occurrence, but the same resource and sequence.
 */
export const publishedEventId = ({ sourceEventId, eventType }: PublishedEvent, audience: string): string =>
  derivedId('webhook-event', sourceEventId, eventType, audience);

/**
 * The publications of an event: for each of its event types, one envelope for the account and one for its parent. Empty
 * for events that are not published and for deposits of unknown accounts. `before` is the history before the event.
 */
export function publicationsOf(event: Recorded<SourceEvent>, before: PublicationHistory): Publication[] {
  const accountId = accountOf(event, before);
  if (accountId === null) return [];
  const parentId = event.type === 'OrderPlaced' ? event.data.parentId : before.parentId;
  const audiences = parentId === null ? [accountId] : [accountId, parentId];
  const events = publishedEvents(event, before);
  const payloads = payloadsOf(event, { ...before, accountId });
  const references = referencesIn(event) ?? before.references;
  return events.flatMap((publishedEvent, index) => {
    const earlier = [...before.published, ...events.slice(0, index)];
    const payload = applicable({ ...payloads[index], ...references });
    return audiences.map((audience) => ({
      audience,
      earlier,
      source: event,
      envelope: envelope(event, { ...before, published: earlier }, publishedEvent, accountId, audience, payload),
    }));
  });
}

export function byAudience(publications: readonly Publication[]): Map<string, Publication[]> {
  const groups = new Map<string, Publication[]>();
  for (const one of publications) {
    const group = groups.get(one.audience);
    if (group) group.push(one);
    else groups.set(one.audience, [one]);
  }
  return groups;
}

/** Removes null fields: an inapplicable field is left out of a payload. */
const applicable = (payload: PublishedEnvelope['payload']): PublishedEnvelope['payload'] =>
  Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== null));

function envelope(
  event: Recorded<SourceEvent>,
  before: PublicationHistory,
  publishedEvent: PublishedEvent,
  accountId: string,
  audience: string,
  payload: PublishedEnvelope['payload'],
): PublishedEnvelope {
  return {
    eventId: publishedEventId(publishedEvent, audience),
    eventType: publishedEvent.eventType,
    accountId,
    resourceType: RESOURCE_TYPES[categoryOf(event.stream)] ?? 'deposit',
    resourceId: idOf(event.stream),
    sequence: before.published.length + 1,
    previousState: before.state,
    occurredAt: event.meta.occurredAt,
    apiVersion: 'v1',
    payload,
  };
}

/** A deposit that is voided because its target is unknown has no account, so it is not published. */
const accountOf = (event: Recorded<SourceEvent>, before: PublicationHistory): string | null =>
  'accountId' in event.data ? (event.data.accountId ?? before.accountId) : before.accountId;

/** The API's name for the state after an event. Event types that are not listed do not change the state. */
const STATES: { readonly [T in SourceEvent['type']]?: string } = {
  AccountRequested: 'pending',
  AccountRequestApproved: 'approved',
  ProvisioningRetried: 'approved',
  AccountRequestRejected: 'rejected',
  AccountRequestExpired: 'expired',
  AccountRequestCancelled: 'cancelled',
  ProvisioningFailed: 'provisioning-failed',
  AccountRequestActivated: 'active',
  AccountOpened: 'active',
  AccountFrozen: 'frozen',
  AccountReleased: 'active',
  AccountClosed: 'closed',
  DepositCreated: 'created',
  DepositConfirmed: 'confirmed',
  DepositCredited: 'credited',
  DepositVoided: 'voided',
  NftTransferCreated: 'created',
  NftTransferPending: 'pending',
  NftTransferCompleted: 'completed',
  NftTransferFailed: 'failed',
  OrderPlaced: 'created',
  OrderProcessingStarted: 'processing',
  OrderCompleted: 'completed',
  OrderRolledBack: 'rolled-back',
  TransferCreated: 'created',
  TransferPending: 'pending',
  TransferCompleted: 'completed',
  TransferFailed: 'failed',
  WithdrawalCreated: 'created',
  WithdrawalProcessingStarted: 'processing',
  WithdrawalCompleted: 'completed',
  WithdrawalRolledBack: 'rolled-back',
};

export const NO_HISTORY: PublicationHistory = {
  revision: -1,
  accountId: null,
  parentId: null,
  state: null,
  sourceBankCode: null,
  sourceTaxId: null,
  references: {},
  published: [],
};

/** The history after one more event of the resource, with the events of webhook that the event publishes. */
export function historyAfter(history: PublicationHistory, event: Recorded<SourceEvent>): PublicationHistory {
  return {
    ...history,
    ...ownersIn(event),
    references: referencesIn(event) ?? history.references,
    state: STATES[event.type] ?? history.state,
    revision: event.revision,
    published: [...history.published, ...publishedEvents(event, history)],
  };
}

/** The accounts that the first event of a resource names and, for a deposit, its sender. */
function ownersIn({ type, data }: Recorded<SourceEvent>): Partial<PublicationHistory> {
  switch (type) {
    case 'AccountRequested':
    case 'AccountOpened':
    case 'WithdrawalCreated':
    case 'TransferCreated':
    case 'NftTransferCreated':
    case 'OrderPlaced':
      return { accountId: data.accountId, parentId: data.parentId };
    case 'DepositCreated': {
      const { accountId, parentId, coordinates } = data;
      if (!isBankCoordinates(coordinates)) return { accountId, parentId };
      const { sourceBankCode, sourceTaxId } = coordinates;
      return { accountId, parentId, sourceBankCode, sourceTaxId };
    }
    default:
      return {};
  }
}
