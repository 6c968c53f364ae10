import type { PublishedEnvelope, WebhookEventType } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { categoryOf, idOf } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { accountApproved, accountRejected, accountRequestUpdated } from './account-payloads';
import { depositProcessed, depositVoided } from './deposit-payloads';
import { orderCompleted, orderCreated, orderProcessing, orderRolledBack } from './order-payloads';
import { withdrawCompleted, withdrawProcessing, withdrawRolledBack } from './withdrawal-payloads';
import {
  nftTransferCompleted,
  nftTransferFailed,
  transferCompleted,
  transferFailed,
  transferPending,
} from './transfer-payloads';
import type { PublishedKind, PublicationHistory, SourceEvent } from './publication-history';
import { publishedKinds } from './publication-history';

/** An envelope for one audience: an account whose resource it is, or its parent. */
export interface Publication {
  readonly audience: string;
  readonly envelope: PublishedEnvelope;
  /** What the resource had published before, oldest first. */
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
 * The id that the audience knows the event by, the same however often it is published or sent. Each audience has an
 * outbox of its own, so the parent has another id of one occurrence; resource and sequence are the same in both.
 */
export const publishedEventId = ({ sourceEventId, eventType }: PublishedKind, audience: string): string =>
  derivedId('webhook-event', sourceEventId, eventType, audience);

/**
 * What is published of an event: for each of its kinds an envelope for the account and one for its parent. Nothing for
 * events that are not published and for deposits whose account is unknown. `before` is the trace of the events before
 * it in its stream.
 */
export function publicationsOf(event: Recorded<SourceEvent>, before: PublicationHistory): Publication[] {
  const accountId = accountOf(event, before);
  if (accountId === null) return [];
  const parentId = event.type === 'OrderPlaced' ? event.data.parentId : before.parentId;
  const audiences = parentId === null ? [accountId] : [accountId, parentId];
  const kinds = publishedKinds(event);
  return kinds.flatMap((kind, index) => {
    const earlier = [...before.published, ...kinds.slice(0, index)];
    const payload = applicable(payloadOf(event, kind.eventType, before, accountId));
    return audiences.map((audience) => ({
      audience,
      earlier,
      source: event,
      envelope: envelope(event, { ...before, published: earlier }, kind, accountId, audience, payload),
    }));
  });
}

/** A member that does not apply is absent from a payload, never null. */
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

function payloadOf(
  event: Recorded<SourceEvent>,
  kind: WebhookEventType,
  before: PublicationHistory,
  accountId: string,
): PublishedEnvelope['payload'] {
  switch (event.type) {
    case 'OrderPlaced':
      return orderCreated(event.data);
    case 'OrderProcessingStarted':
      return orderProcessing(event.data);
    case 'OrderCompleted':
      return orderCompleted(event.data);
    case 'OrderRolledBack':
      return orderRolledBack(event.data);
    case 'TransferPending':
      return transferPending(event.data);
    case 'TransferCompleted':
      return transferCompleted(event.data);
    case 'TransferFailed':
      return transferFailed(event.data);
    case 'NftTransferCompleted':
      return nftTransferCompleted(event.data);
    case 'NftTransferFailed':
      return nftTransferFailed(event.data);
    case 'DepositCredited':
      return depositProcessed(event.data);
    case 'DepositVoided':
      return depositVoided(event.data, accountId, before);
    case 'WithdrawalProcessingStarted':
      return withdrawProcessing(event.data);
    case 'WithdrawalCompleted':
      return withdrawCompleted(event.data);
    case 'WithdrawalRolledBack':
      return withdrawRolledBack(event.data);
    case 'ScreeningStarted':
    case 'ReviewRequested':
    case 'InformationRequested':
    case 'AccountRequestApproved':
    case 'ProvisioningFailed':
      return accountRequestUpdated(event);
    case 'AccountRequestRejected':
    case 'AccountRequestExpired':
    case 'AccountRequestCancelled':
      return kind === 'account-rejected' ? accountRejected(event) : accountRequestUpdated(event);
    case 'AccountRequestActivated':
      return accountApproved(event.data);
    case 'AccountRequested':
    case 'AccountRequestAbandoned':
    case 'ScreeningRecorded':
    case 'LivenessRecorded':
    case 'LivenessShared':
    case 'ScreeningHitJudged':
    case 'ReviewClaimed':
    case 'ReviewReleased':
    case 'ReviewEscalated':
    case 'ReviewDecided':
    case 'InformationProvided':
    case 'ProvisioningStepDone':
    case 'ProvisioningRetried':
    case 'WithdrawalCreated':
    case 'WithdrawalAbandoned':
    case 'WithdrawalPostponed':
    case 'WithdrawalHeldForReview':
    case 'WithdrawalReviewed':
    case 'WithdrawalBroadcast':
    case 'TransferCreated':
    case 'NftTransferCreated':
    case 'NftTransferSendingStarted':
    case 'NftTransferPending':
    case 'TransferAbandoned':
    case 'TransferSendingStarted':
    case 'AcceptanceAbandoned':
    case 'OrderSettled':
    case 'OrderTargetScreened':
    case 'DepositCreated':
    case 'DepositConfirmed':
    case 'DepositFinalized':
    case 'DepositReturnRequested':
    case 'DepositReturnFailed':
    case 'DepositReturned':
      throw new Error(`${event.type} is not published`);
  }
}
