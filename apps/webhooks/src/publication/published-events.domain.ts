import type {
  AccountEvent,
  AccountRequestEvent,
  DepositEvent,
  NftTransferEvent,
  OrderEvent,
  PublishedEnvelope,
  TransferEvent,
  WebhookEventType,
  WithdrawalEvent,
} from '@ponte/contracts';
import {
  ACCOUNT_EVENTS,
  ACCOUNT_REQUEST_EVENTS,
  AccountClosed,
  AccountFrozen,
  AccountOpened,
  AccountReleased,
  DEPOSIT_EVENTS,
  NFT_TRANSFER_EVENTS,
  ORDER_EVENTS,
  TRANSFER_EVENTS,
  WEBHOOK_ENDPOINT_EVENTS,
  WITHDRAWAL_EVENTS,
} from '@ponte/contracts';
import type { EventClass, Recorded } from '@ponte/event-sourcing';
import { accountApproved, accountRejected, accountRequestUpdated, accountUpdated } from './account-payloads.domain';
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

export type SourceEvent =
  OrderEvent | DepositEvent | WithdrawalEvent | AccountRequestEvent | AccountEvent | TransferEvent | NftTransferEvent;

/** All event types of the streams that are published. */
export const SOURCE_EVENTS: readonly EventClass[] = [
  ...ACCOUNT_REQUEST_EVENTS,
  ...[AccountOpened, AccountFrozen, AccountReleased, AccountClosed],
  ...DEPOSIT_EVENTS,
  ...WITHDRAWAL_EVENTS,
  ...ORDER_EVENTS,
  ...TRANSFER_EVENTS,
  ...NFT_TRANSFER_EVENTS,
];

/** The event types of the other streams that the outbox reads, and those of accounts that partners do not see. */
export const UNPUBLISHED_SOURCE_EVENTS: readonly EventClass[] = [...ACCOUNT_EVENTS, ...WEBHOOK_ENDPOINT_EVENTS].filter(
  (one: EventClass) => !SOURCE_EVENTS.includes(one),
);

type Payload = PublishedEnvelope['payload'];

/** What a payload needs in addition to the event itself. */
interface PayloadContext extends VoidedSource {
  readonly accountId: string;
}

/** An event type under which an event is published, and its payload. */
interface PublishedAs<E> {
  readonly eventType: WebhookEventType;
  payload(event: E, context: PayloadContext): Payload;
}

type PublishedTable = {
  readonly [T in SourceEvent['type']]?: readonly PublishedAs<Extract<SourceEvent, { type: T }>>[];
};

const as = <E>(
  eventType: WebhookEventType,
  payload: (event: E, context: PayloadContext) => Payload,
): readonly PublishedAs<E>[] => [{ eventType, payload }];
const updated = as('account-request-updated', accountRequestUpdated);
// The first says how the request ended, the second only that it was rejected.
const ended = [...updated, ...as('account-rejected', accountRejected)];

/**
 * The webhook event types that a recorded event is published as. Events that are not listed are not published. The
 * fields of each payload are defined in `WEBHOOK_EVENTS`.
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
  AccountFrozen: as('account-updated', ({ data }) => accountUpdated(data.accountId, 'frozen', data.frozenAt)),
  AccountReleased: as('account-updated', ({ data }) => accountUpdated(data.accountId, 'active', data.releasedAt)),
  AccountClosed: as('account-updated', ({ data }) => accountUpdated(data.accountId, 'closed', data.closedAt)),
};

/** One publication of a resource: the source event and the event type. */
export interface PublishedEvent {
  readonly sourceEventId: string;
  readonly eventType: WebhookEventType;
}

interface Before {
  readonly state: string | null;
}

// Each row of the table accepts events of one type only, which the compiler cannot derive from `type`.
const rowsOf = (event: SourceEvent, before: Before) =>
  (isReportedByTheNext(event) || isFrozenAgain(event, before)
    ? []
    : (PUBLISHED[event.type] ?? [])) as readonly PublishedAs<SourceEvent>[];

/** When the last requested item arrives, the screening that starts with it is published. */
const isReportedByTheNext = (event: SourceEvent): boolean =>
  event.type === 'InformationProvided' && event.data.remaining === undefined;

/** A further reason for which a frozen account is frozen changes nothing that the partner sees. */
const isFrozenAgain = (event: SourceEvent, { state }: Before): boolean =>
  event.type === 'AccountFrozen' && state === 'frozen';

/** The event types that a recorded event is published as, in order; empty when it is not published. */
export const publishedEvents = (event: Recorded<SourceEvent>, before: Before): PublishedEvent[] =>
  rowsOf(event, before).map(({ eventType }) => ({ sourceEventId: event.id, eventType }));

/** The payloads of an event, one for each event type. */
export const payloadsOf = (event: Recorded<SourceEvent>, context: PayloadContext & Before): Payload[] =>
  rowsOf(event, context).map(({ payload }) => payload(event, context));

/** Who made a request, as its first event records it. */
interface Requester {
  readonly createdBy: string;
  readonly createdByApiKey?: string;
}

const requesterOf = ({ createdBy, createdByApiKey }: Requester) => ({
  'created-by': createdBy,
  'created-by-api-key': createdByApiKey ?? null,
});

/**
 * The fields by which a partner finds a resource in its own books and at the bank, and the account and API key that
 * requested it. They are in its first event and in every webhook of the resource, null for those it does not have.
 * Undefined for later events.
 */
export function referencesIn({ type, data }: Recorded<SourceEvent>): Payload | undefined {
  switch (type) {
    case 'AccountRequested':
    case 'AccountOpened':
      return { 'external-id': data.externalId };
    case 'OrderPlaced':
    case 'WithdrawalCreated':
    case 'TransferCreated':
    case 'NftTransferCreated':
      return { ...requesterOf(data), 'external-id': data.externalId };
    case 'DepositCreated':
      return {
        'end-to-end-id': data.endToEndId,
        'order-id': data.orderId,
        'withdrawal-id': data.withdrawalId ?? null,
        'returned-order-id': data.returnedOrderId ?? null,
      };
    default:
      return undefined;
  }
}
