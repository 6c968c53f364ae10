import type { AccountListing, AccountRequestStatus, ListedAccountStatus } from '@ponte/contracts';
import type { OpenRequest } from '../account-request/account-request.state';

/** A display name, never the holder's own name. */
export const aliasOf = (requestId: string): string => `Account ${requestId.slice(0, 8)}`;

/** The account of a request as shown to its partner before it is open. */
export const listingOf = ({ status, terms }: OpenRequest): AccountListing => ({
  accountId: terms.accountId,
  parentId: terms.parentId,
  alias: aliasOf(terms.requestId),
  status: listedStatus(status),
  externalId: terms.externalId,
  createdAt: terms.requestedAt,
});

/** A request that ended without an account is listed as a rejected account. */
export function listedStatus(status: AccountRequestStatus): ListedAccountStatus {
  switch (status) {
    case 'pending':
    case 'approved':
      return 'pending';
    case 'provisioning-failed':
      return 'provisioning-failed';
    case 'rejected':
    case 'expired':
    case 'cancelled':
      return 'rejected';
    case 'active':
      return 'active';
  }
}
