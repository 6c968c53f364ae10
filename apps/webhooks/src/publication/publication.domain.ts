import type {
  PublishedEnvelope,
  AccountRequestEvent,
  DepositEvent,
  NftTransferEvent,
  OrderEvent,
  TransferEvent,
  WebhookEventType,
  WithdrawalEvent,
} from '@ponte/contracts';
import type { Recorded, Sealed } from '@ponte/event-sourcing';
import { categoryOf, idOf } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { accountApproved, accountRejected, accountRequestUpdated } from './account-payloads.domain';
import type { VoidedSource } from './deposit-payloads.domain';
import { depositProcessed, depositVoided } from './deposit-payloads.domain';
import { orderCompleted, orderCreated, orderProcessing, orderRolledBack } from './order-payloads.domain';
import {
  nftTransferCompleted,
  nftTransferFailed,
  transferCompleted,
  transferFailed,
  transferPending,
} from './transfer-payloads.domain';
import { withdrawCompleted, withdrawProcessing, withdrawRolledBack } from './withdrawal-payloads.domain';

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
  readonly published: readonly PublishedKind[];
}

/** An envelope for one audience: the account that owns the resource, or its parent. */
export interface Publication {
  readonly audience: string;
  readonly envelope: PublishedEnvelope;
  /** What was published about the resource before, oldest first. */
  readonly earlier: readonly PublishedKind[];
  readonly source: Pick<Recorded, 'id' | 'position' | 'meta'>;
}

const RESOURCE_TYPES: Readonly<Record<string, PublishedEnvelope['resourceType']>> = {
  order: 'order',
  deposit: 'deposit',
  withdrawal: 'withdrawal',
  accountRequest: 'account-request',
  transfer: 'transfer',
  nftTransfer: 'nft-transfer',
};

/**
 * The event id that the audience sees. It is the same however often the event is published or sent. Each audience has
 * an outbox of its own, so account and parent see different ids for one occurrence, but the same resource and sequence.
 */
export const publishedEventId = ({ sourceEventId, eventType }: PublishedKind, audience: string): string =>
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
  const kinds = publishedKinds(event);
  const payloads = payloadsOf(event, { ...before, accountId });
  return kinds.flatMap((kind, index) => {
    const earlier = [...before.published, ...kinds.slice(0, index)];
    const payload = applicable(payloads[index] ?? {});
    return audiences.map((audience) => ({
      audience,
      earlier,
      source: event,
      envelope: envelope(event, { ...before, published: earlier }, kind, accountId, audience, payload),
    }));
  });
}

/** Removes null members: an inapplicable member is left out of a payload. */
const applicable = (payload: PublishedEnvelope['payload']): PublishedEnvelope['payload'] =>
  Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== null));

function envelope(
  event: Recorded<SourceEvent>,
  before: PublicationHistory,
  kind: PublishedKind,
  accountId: string,
  audience: string,
  payload: PublishedEnvelope['payload'],
): PublishedEnvelope {
  return {
    eventId: publishedEventId(kind, audience),
    eventType: kind.eventType,
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

export type SourceEvent =
  OrderEvent | DepositEvent | WithdrawalEvent | AccountRequestEvent | TransferEvent | NftTransferEvent;

type Payload = PublishedEnvelope['payload'];

/** What a payload needs in addition to the event itself. */
export interface PayloadContext extends VoidedSource {
  readonly accountId: string;
}

/** An event type under which an event is published, and its payload. */
interface PublishedAs<E> {
  readonly kind: WebhookEventType;
  payload(event: E, context: PayloadContext): Payload;
}

type PublishedTable = {
  readonly [T in SourceEvent['type']]?: readonly PublishedAs<Extract<SourceEvent, { type: T }>>[];
};

const as = <E>(
  kind: WebhookEventType,
  payload: (event: E, context: PayloadContext) => Payload,
): readonly PublishedAs<E>[] => [{ kind, payload }];
const updated = as('account-request-updated', accountRequestUpdated);
// The first says how the request ended, the second only that it was rejected.
const ended = [...updated, ...as('account-rejected', accountRejected)];

/**
 * The webhook event types that a recorded event is published as. Events that are not listed are not published. The
 * members of each payload are defined in `WEBHOOK_KINDS`.
 */
const PUBLISHED: PublishedTable = {
  OrderPlaced: as('order-created', ({ data }) => orderCreated(data)),
  OrderProcessingStarted: as('order-processing', ({ data }) => orderProcessing(data)),
  OrderCompleted: as('order-completed', ({ data }) => orderCompleted(data)),
  OrderRolledBack: as('order-rolled-back', ({ data }) => orderRolledBack(data)),
  DepositCredited: as('deposit-processed', ({ data }) => depositProcessed(data)),
  DepositVoided: as('deposit-voided', ({ data }, context) => depositVoided(data, context.accountId, context)),
  WithdrawalProcessingStarted: as('withdraw-processing', ({ data }) => withdrawProcessing(data)),
  WithdrawalCompleted: as('withdraw-completed', ({ data }) => withdrawCompleted(data)),
  WithdrawalRolledBack: as('withdraw-rolled-back', ({ data }) => withdrawRolledBack(data)),
  TransferPending: as('token-transfer-pending', ({ data }) => transferPending(data)),
  TransferCompleted: as('token-transfer-completed', ({ data }) => transferCompleted(data)),
  TransferFailed: as('token-transfer-failed', ({ data }) => transferFailed(data)),
  NftTransferCompleted: as('nft-transfer-completed', ({ data }) => nftTransferCompleted(data)),
  NftTransferFailed: as('nft-transfer-failed', ({ data }) => nftTransferFailed(data)),
  ScreeningStarted: updated,
  ReviewRequested: updated,
  InformationRequested: updated,
  InformationProvided: updated,
  AccountRequestApproved: updated,
  ProvisioningFailed: updated,
  AccountRequestRejected: ended,
  AccountRequestExpired: ended,
  AccountRequestCancelled: ended,
  AccountRequestActivated: as('account-approved', ({ data }) => accountApproved(data)),
};

/** One publication of a resource: the source event and the event type. */
export interface PublishedKind {
  readonly sourceEventId: string;
  readonly eventType: WebhookEventType;
}

// Each row of the table accepts events of one type only, which the compiler cannot derive from `type`.
const rowsOf = (event: SourceEvent) =>
  (isReportedByTheNext(event) ? [] : (PUBLISHED[event.type] ?? [])) as readonly PublishedAs<SourceEvent>[];

/** When the last requested item arrives, the screening that starts with it is published. */
const isReportedByTheNext = (event: SourceEvent): boolean =>
  event.type === 'InformationProvided' && event.data.remaining === undefined;

/** The event types that a recorded event is published as, in order; empty when it is not published. */
export const publishedKinds = (event: Recorded<SourceEvent>): PublishedKind[] =>
  rowsOf(event).map(({ kind }) => ({ sourceEventId: event.id, eventType: kind }));

/** The payloads of an event, one for each event type. */
export const payloadsOf = (event: Recorded<SourceEvent>, context: PayloadContext): Payload[] =>
  rowsOf(event).map(({ payload }) => payload(event, context));
