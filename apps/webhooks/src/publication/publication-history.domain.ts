import {
  ACCOUNT_REQUEST_EVENTS,
  AcceptanceAbandoned,
  AccountClosed,
  AccountFrozen,
  AccountOpened,
  AccountReleased,
  DEPOSIT_EVENTS,
  NftTransferCompleted,
  NftTransferCreated,
  NftTransferFailed,
  NftTransferPending,
  NftTransferSendingStarted,
  OrderCompleted,
  OrderPlaced,
  OrderProcessingStarted,
  OrderRolledBack,
  OrderSettled,
  OrderTargetScreened,
  TransferAbandoned,
  TransferCompleted,
  TransferCreated,
  TransferFailed,
  TransferPending,
  TransferSendingStarted,
  WITHDRAWAL_EVENTS,
  isBankCoordinates,
} from '@ponte/contracts';
import type { EventClass, Recorded } from '@ponte/event-sourcing';
import type { PublicationHistory } from './publication.domain';
import type { SourceEvent } from './published-events.domain';
import { publishedKinds } from './published-events.domain';

/** All event types of the streams that are published. */
export const SOURCE_EVENTS: readonly EventClass[] = [
  ...ACCOUNT_REQUEST_EVENTS,
  AccountOpened,
  AccountFrozen,
  AccountReleased,
  AccountClosed,
  ...DEPOSIT_EVENTS,
  ...WITHDRAWAL_EVENTS,
  OrderPlaced,
  AcceptanceAbandoned,
  OrderProcessingStarted,
  OrderSettled,
  OrderTargetScreened,
  OrderCompleted,
  OrderRolledBack,
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
];

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
  published: [],
};

export function historyAfter(history: PublicationHistory, event: Recorded<SourceEvent>): PublicationHistory {
  return {
    ...history,
    ...ownersIn(event),
    state: STATES[event.type] ?? history.state,
    revision: event.revision,
    published: [...history.published, ...publishedKinds(event, history)],
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
