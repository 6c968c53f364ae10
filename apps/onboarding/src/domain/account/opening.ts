import { holderIdOf, isSealedFor } from '@ponte/contracts';
import type { Fault } from '@ponte/kernel';
import { canonicalJson, isUuid } from '@ponte/kernel';
import { externalIdFaults, fault, nameFaults } from '../texts';
import type { Account, AccountTerms } from './account';

/** HMAC-SHA256 in hex: a tax id in clear cannot pass for one. */
const FINGERPRINT = /^[0-9a-f]{64}$/;

type Terms = Omit<AccountTerms, 'openedAt'>;

/** Everything but the capabilities that is wrong with an opening. */
export function openingFaults(terms: Terms, parent: Account | null): Fault[] {
  return [
    ...(isUuid(terms.accountId) ? [] : [fault('invalid-format', 'account-id', 'a UUID is wanted')]),
    ...nameFaults(terms.alias, 'alias'),
    ...externalIdFaults(terms.externalId),
    ...sealingFaults(terms),
    ...parentFaults(parent),
    ...modeFaults(terms),
  ];
}

/**
 * Whether a repeated opening says what the first one said. The sealed texts differ at every sealing: the tax id is compared by
 * its fingerprint, the name by whoever can open it.
 */
export function sameOpening(wanted: Terms, existing: Terms): boolean {
  const told = ({ accountId, parentId, alias, externalId, onboardingMode, taxIdFingerprint, capabilities }: Terms) =>
    canonicalJson({ accountId, parentId, alias, externalId, onboardingMode, taxIdFingerprint, capabilities: [...new Set(capabilities)].sort() });
  return told(wanted) === told(existing);
}

/** The holder's id follows from the tax id, and the fields are sealed under it: else erasing the person would miss them. */
const sealingFaults = ({ holderId, legalName, taxId, taxIdFingerprint }: Terms): Fault[] =>
  FINGERPRINT.test(taxIdFingerprint) && holderId === holderIdOf(taxIdFingerprint) && isSealedFor(holderId, legalName) && isSealedFor(holderId, taxId)
    ? []
    : [fault('invalid-format', 'legal-name', "the holder's fields come sealed under the id that follows from the tax id")];

function parentFaults(parent: Account | null): Fault[] {
  if (parent === null) return [];
  if (parent.status === 'absent') return [fault('parent-account-not-found', 'parent-id', 'the parent account does not exist')];
  if (parent.terms.parentId !== null) return [fault('parent-not-a-partner', 'parent-id', 'the parent account is itself a sub-account')];
  return parent.status === 'frozen' ? [fault('account-not-active', 'parent-id', 'the parent account is frozen')] : [];
}

function modeFaults({ parentId, onboardingMode }: Terms): Fault[] {
  if (parentId === null) return onboardingMode === null ? [fault('missing-field', 'onboarding-mode', 'a partner onboards in the mode kyc or reliance')] : [];
  return onboardingMode === null ? [] : [fault('unknown-field', 'onboarding-mode', 'a sub-account onboards nobody, so it has no mode')];
}
