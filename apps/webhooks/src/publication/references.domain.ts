import type { PublishedEnvelope } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import type { SourceEvent } from './published-events.domain';

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
 * The members by which a partner finds a resource in its own books and at the bank, and the account and API key that
 * requested it. They are in its first event and in every webhook of the resource, null for those it does not have.
 * Undefined for later events.
 */
export function referencesIn({ type, data }: Recorded<SourceEvent>): PublishedEnvelope['payload'] | undefined {
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
