import type {
  AccountRequestEvent,
  DepositEvent,
  NftTransferEvent,
  OrderEvent,
  TransferEvent,
  WebhookEventType,
  WithdrawalEvent,
} from '@ponte/contracts';
import {
  ACCOUNT_REQUEST_EVENTS,
  isBankCoordinates,
  AcceptanceAbandoned,
  DepositConfirmed,
  DepositCreated,
  DepositCredited,
  DepositFinalized,
  DepositReturned,
  DepositReturnFailed,
  DepositReturnRequested,
  DepositVoided,
  OrderCompleted,
  OrderPlaced,
  OrderProcessingStarted,
  OrderRolledBack,
  OrderSettled,
  OrderTargetScreened,
  NftTransferCompleted,
  NftTransferCreated,
  NftTransferFailed,
  NftTransferPending,
  NftTransferSendingStarted,
  TransferAbandoned,
  TransferCompleted,
  TransferCreated,
  TransferFailed,
  TransferPending,
  TransferSendingStarted,
  WithdrawalAbandoned,
  WithdrawalBroadcast,
  WithdrawalCompleted,
  WithdrawalCreated,
  WithdrawalPostponed,
  WithdrawalProcessingStarted,
  WithdrawalRolledBack,
} from '@ponte/contracts';
import type { EventClass, Recorded, Sealed } from '@ponte/event-sourcing';

export type SourceEvent =
  OrderEvent | DepositEvent | WithdrawalEvent | AccountRequestEvent | TransferEvent | NftTransferEvent;

/** Everything that may stand in the streams that are published. */
export const SOURCE_EVENTS: readonly EventClass[] = [
  OrderPlaced,
  AcceptanceAbandoned,
  OrderProcessingStarted,
  OrderSettled,
  OrderTargetScreened,
  OrderCompleted,
  OrderRolledBack,
  DepositCreated,
  DepositConfirmed,
  DepositFinalized,
  DepositCredited,
  DepositVoided,
  DepositReturnRequested,
  DepositReturnFailed,
  DepositReturned,
  WithdrawalCreated,
  WithdrawalAbandoned,
  WithdrawalPostponed,
  WithdrawalProcessingStarted,
  WithdrawalBroadcast,
  WithdrawalCompleted,
  WithdrawalRolledBack,
  TransferCreated,
  TransferAbandoned,
  TransferSendingStarted,
  TransferPending,
  TransferCompleted,
  TransferFailed,
  NftTransferCreated,
  NftTransferSendingStarted,
  NftTransferPending,
  NftTransferCompleted,
  NftTransferFailed,
  ...ACCOUNT_REQUEST_EVENTS,
];

/** What was published of a resource: the event behind it and the kind it became. */
export interface PublishedKind {
  readonly sourceEventId: string;
  readonly eventType: WebhookEventType;
}

/** What the publication of the next event of a resource needs to know of those before it. */
export interface PublicationHistory {
  /** Of the last event that is in it, -1 before the first. */
  readonly revision: number;
  readonly accountId: string | null;
  readonly parentId: string | null;
  /** The API's word for the state. */
  readonly state: string | null;
  /** Of a deposit. */
  readonly sourceBankCode: string | null;
  /** Of a deposit. */
  readonly sourceTaxId: Sealed | null;
  readonly published: readonly PublishedKind[];
}

export const NO_HISTORY: PublicationHistory = {
  revision: -1,
  accountId: null,
  parentId: null,
  state: null,
  sourceBankCode: null,
  sourceTaxId: null,
  published: [],
};

const KINDS: Readonly<Record<SourceEvent['type'], WebhookEventType | readonly WebhookEventType[] | null>> = {
  OrderPlaced: 'order-created',
  AcceptanceAbandoned: null,
  OrderProcessingStarted: 'order-processing',
  OrderSettled: null,
  OrderTargetScreened: null,
  OrderCompleted: 'order-completed',
  OrderRolledBack: 'order-rolled-back',
  DepositCreated: null,
  DepositConfirmed: null,
  DepositFinalized: null,
  DepositCredited: 'deposit-processed',
  DepositVoided: 'deposit-voided',
  DepositReturnRequested: null,
  DepositReturnFailed: null,
  DepositReturned: null,
  WithdrawalCreated: null,
  WithdrawalAbandoned: null,
  WithdrawalPostponed: null,
  WithdrawalProcessingStarted: 'withdraw-processing',
  // The account is not notified of a review.
  WithdrawalHeldForReview: null,
  WithdrawalReviewed: null,
  WithdrawalBroadcast: null,
  WithdrawalCompleted: 'withdraw-completed',
  WithdrawalRolledBack: 'withdraw-rolled-back',
  TransferCreated: null,
  TransferAbandoned: null,
  TransferSendingStarted: null,
  TransferPending: 'token-transfer-pending',
  TransferCompleted: 'token-transfer-completed',
  TransferFailed: 'token-transfer-failed',
  NftTransferCreated: null,
  NftTransferSendingStarted: null,
  NftTransferPending: null,
  NftTransferCompleted: 'nft-transfer-completed',
  NftTransferFailed: 'nft-transfer-failed',
  AccountRequested: null,
  AccountRequestAbandoned: null,
  ScreeningStarted: 'account-request-updated',
  ScreeningRecorded: null,
  LivenessRecorded: null,
  LivenessShared: null,
  ScreeningHitJudged: null,
  ReviewRequested: 'account-request-updated',
  ReviewClaimed: null,
  ReviewReleased: null,
  ReviewEscalated: null,
  ReviewDecided: null,
  InformationRequested: 'account-request-updated',
  InformationProvided: null,
  AccountRequestApproved: 'account-request-updated',
  // The second says only that it was rejected; the first says how it ended.
  AccountRequestRejected: ['account-request-updated', 'account-rejected'],
  AccountRequestExpired: ['account-request-updated', 'account-rejected'],
  AccountRequestCancelled: ['account-request-updated', 'account-rejected'],
  ProvisioningStepDone: null,
  ProvisioningFailed: 'account-request-updated',
  ProvisioningRetried: null,
  AccountRequestActivated: 'account-approved',
};

/** The kinds that a recorded event is published as, in their order; empty for an event that is not published. */
export const kindsOf = (type: SourceEvent['type']): readonly WebhookEventType[] => [KINDS[type] ?? []].flat();

export function historyAfter(history: PublicationHistory, event: Recorded<SourceEvent>): PublicationHistory {
  return {
    ...learned(history, event),
    revision: event.revision,
    published: [...history.published, ...publishedKinds(event)],
  };
}

/** What a recorded event is published as, as a trace remembers it. */
export const publishedKinds = ({ id, type }: Pick<Recorded<SourceEvent>, 'id' | 'type'>): PublishedKind[] =>
  kindsOf(type).map((eventType) => ({ sourceEventId: id, eventType }));

const senderOf = (
  coordinates: DepositCreated['data']['coordinates'],
): Pick<PublicationHistory, 'sourceBankCode' | 'sourceTaxId'> =>
  isBankCoordinates(coordinates)
    ? { sourceBankCode: coordinates.sourceBankCode, sourceTaxId: coordinates.sourceTaxId }
    : { sourceBankCode: null, sourceTaxId: null };

function learned(history: PublicationHistory, event: Recorded<SourceEvent>): PublicationHistory {
  switch (event.type) {
    case 'WithdrawalCreated':
    case 'TransferCreated':
    case 'NftTransferCreated':
    case 'OrderPlaced':
      return { ...history, accountId: event.data.accountId, parentId: event.data.parentId, state: 'created' };
    case 'DepositCreated':
      return {
        ...history,
        accountId: event.data.accountId,
        parentId: event.data.parentId,
        state: 'created',
        ...senderOf(event.data.coordinates),
      };
    case 'TransferPending':
    case 'NftTransferPending':
      return { ...history, state: 'pending' };
    case 'TransferFailed':
    case 'NftTransferFailed':
      return { ...history, state: 'failed' };
    case 'WithdrawalProcessingStarted':
    case 'OrderProcessingStarted':
      return { ...history, state: 'processing' };
    case 'WithdrawalCompleted':
    case 'TransferCompleted':
    case 'NftTransferCompleted':
    case 'OrderCompleted':
      return { ...history, state: 'completed' };
    case 'WithdrawalRolledBack':
    case 'OrderRolledBack':
      return { ...history, state: 'rolled-back' };
    case 'DepositConfirmed':
      return { ...history, state: 'confirmed' };
    case 'DepositCredited':
      return { ...history, state: 'credited' };
    case 'DepositVoided':
      return { ...history, state: 'voided' };
    case 'AccountRequested':
      return { ...history, accountId: event.data.accountId, parentId: event.data.parentId, state: 'pending' };
    case 'AccountRequestApproved':
    case 'ProvisioningRetried':
      return { ...history, state: 'approved' };
    case 'AccountRequestRejected':
      return { ...history, state: 'rejected' };
    case 'AccountRequestExpired':
      return { ...history, state: 'expired' };
    case 'AccountRequestCancelled':
      return { ...history, state: 'cancelled' };
    case 'ProvisioningFailed':
      return { ...history, state: 'provisioning-failed' };
    case 'AccountRequestActivated':
      return { ...history, state: 'active' };
    case 'AccountRequestAbandoned':
    case 'ScreeningStarted':
    case 'ScreeningRecorded':
    case 'LivenessRecorded':
    case 'LivenessShared':
    case 'ScreeningHitJudged':
    case 'ReviewRequested':
    case 'ReviewClaimed':
    case 'ReviewReleased':
    case 'ReviewEscalated':
    case 'ReviewDecided':
    case 'InformationRequested':
    case 'InformationProvided':
    case 'ProvisioningStepDone':
    case 'WithdrawalAbandoned':
    case 'WithdrawalPostponed':
    case 'WithdrawalBroadcast':
    case 'WithdrawalHeldForReview':
    case 'WithdrawalReviewed':
    case 'TransferAbandoned':
    case 'TransferSendingStarted':
    case 'NftTransferSendingStarted':
    case 'AcceptanceAbandoned':
    case 'OrderSettled':
    case 'OrderTargetScreened':
    case 'DepositFinalized':
    case 'DepositReturnRequested':
    case 'DepositReturnFailed':
    case 'DepositReturned':
      return history;
  }
}
