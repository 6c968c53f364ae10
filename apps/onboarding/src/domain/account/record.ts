import type { AccountRecord, HolderRecord } from '@ponte/contracts';
import type { OpenedAccount } from './account';

/** What other services and the account's own list show: nothing personal. */
export function accountRecord({ status, terms, capabilities }: OpenedAccount): AccountRecord {
  const { accountId, parentId, alias, externalId, onboardingMode, taxIdFingerprint, request, openedAt } = terms;
  return { accountId, parentId, alias, status, externalId, onboardingMode, capabilities, taxIdFingerprint, createdAt: request?.requestedAt ?? openedAt };
}

/** The personal fields, sealed. */
export function holderRecord({ terms, bankAccount }: OpenedAccount): HolderRecord {
  const { accountId, holderId, legalName, taxId } = terms;
  return { accountId, holderId, legalName, taxId, bankAccount };
}
