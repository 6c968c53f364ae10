import type { PublishedEnvelope } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import type { SourceEvent } from './published-events.domain';

/** The members by which a partner finds a resource in its own books and at the bank; null for those it does not have. */
export type References = PublishedEnvelope['payload'];

/**
 * The references in the first event of a resource; undefined for its later events. Every webhook of the resource has
 * them, so that a receiver need not read the resource first.
 */
export function referencesIn({ type, data }: Recorded<SourceEvent>): References | undefined {
  switch (type) {
    case 'AccountRequested':
    case 'AccountOpened':
    case 'OrderPlaced':
    case 'WithdrawalCreated':
    case 'TransferCreated':
    case 'NftTransferCreated':
      return { 'external-id': data.externalId };
    case 'DepositCreated':
      return {
        'end-to-end-id': data.endToEndId,
        'order-id': data.orderId,
        'withdrawal-id': data.withdrawalId ?? null,
      };
    default:
      return undefined;
  }
}
