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
import type { PublishedKind, SourceEvent } from './published-events.domain';
import { publishedKinds } from './published-events.domain';

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

export function historyAfter(history: PublicationHistory, event: Recorded<SourceEvent>): PublicationHistory {
  return {
    ...learned(history, event),
    revision: event.revision,
    published: [...history.published, ...publishedKinds(event)],
  };
}

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
