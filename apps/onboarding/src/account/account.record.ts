import type { AccountRecord, AccountStanding, HolderRecord } from '@ponte/contracts';
import type { OpenedAccount } from './account.state';

/** The account as shown in lists and to other services, without personal data. */
export function accountRecord({ status, terms, capabilities, standing: { pending } }: OpenedAccount): AccountRecord {
  const { accountId, parentId, alias, externalId, onboardingMode, taxIdFingerprint, request, openedAt } = terms;
  return {
    accountId,
    parentId,
    alias,
    status,
    ...(pending && { pendingStep: pending.step }),
    externalId,
    onboardingMode,
    capabilities,
    taxIdFingerprint,
    createdAt: request?.requestedAt ?? openedAt,
  };
}

/** The personal fields, sealed. */
export function holderRecord({ terms, bankAccount }: OpenedAccount): HolderRecord {
  const { accountId, holderId, legalName, taxId } = terms;
  return { accountId, holderId, legalName, taxId, bankAccount };
}

/** For staff: the record, and why the account is frozen or about to be. */
export const accountStanding = (state: OpenedAccount): AccountStanding => ({
  account: accountRecord(state),
  ...state.standing,
});
