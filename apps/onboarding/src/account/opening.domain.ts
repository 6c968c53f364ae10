import { holderIdOf, isSealedFor } from '@ponte/contracts';
import type { Violation } from '@ponte/kernel';
import { canonicalJson, isUuid, pick, violation } from '@ponte/kernel';
import { externalIdViolations, nameViolations } from '../person/texts.domain';
import type { Account, AccountTerms } from './account.state';

/** HMAC-SHA256 in hex. A tax id in clear does not match. */
const FINGERPRINT = /^[0-9a-f]{64}$/;

type Terms = Omit<AccountTerms, 'openedAt'>;

/** All violations of an opening except those of its capabilities. */
export function openingViolations(terms: Terms, parent: Account | null): Violation[] {
  return [
    ...(isUuid(terms.accountId) ? [] : [violation('invalid-format', 'account-id', 'must be a UUID')]),
    ...nameViolations(terms.alias, 'alias'),
    ...externalIdViolations(terms.externalId),
    ...sealingViolations(terms),
    ...parentViolations(parent),
    ...modeViolations(terms),
  ];
}

/**
 * Whether a repeated opening has the same data as the first. Sealed texts differ at every sealing, so the tax id is
 * compared by its fingerprint, and the name by a caller that can open it.
 */
export function sameOpening(wanted: Terms, existing: Terms): boolean {
  const reported = (terms: Terms) =>
    canonicalJson({
      ...pick(terms, 'accountId', 'parentId', 'alias', 'externalId', 'onboardingMode', 'taxIdFingerprint'),
      capabilities: [...new Set(terms.capabilities)].sort(),
    });
  return reported(wanted) === reported(existing);
}

/**
 * The holder's id must derive from the tax id, and the fields must be sealed under it. Otherwise erasing the person
 * would miss them.
 */
const sealingViolations = ({ holderId, legalName, taxId, taxIdFingerprint }: Terms): Violation[] =>
  FINGERPRINT.test(taxIdFingerprint) &&
  holderId === holderIdOf(taxIdFingerprint) &&
  isSealedFor(holderId, legalName) &&
  isSealedFor(holderId, taxId)
    ? []
    : [
        violation(
          'invalid-format',
          'legal-name',
          "the holder's fields must be sealed under the id that derives from the tax id",
        ),
      ];

function parentViolations(parent: Account | null): Violation[] {
  if (parent === null) return [];
  if (parent.status === 'absent')
    return [violation('parent-account-not-found', 'parent-id', 'the parent account does not exist')];
  if (parent.terms.parentId !== null)
    return [violation('parent-not-a-partner', 'parent-id', 'the parent account is itself a sub-account')];
  return parent.status === 'active'
    ? []
    : [violation('account-not-active', 'parent-id', `the parent account is ${parent.status}`)];
}

function modeViolations({ parentId, onboardingMode }: Terms): Violation[] {
  if (parentId === null)
    return onboardingMode === null
      ? [violation('missing-field', 'onboarding-mode', 'a partner must have the onboarding mode kyc or reliance')]
      : [];
  return onboardingMode === null
    ? []
    : [violation('unknown-field', 'onboarding-mode', 'a sub-account does not onboard, so it must not have a mode')];
}
