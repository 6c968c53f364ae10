import type { Violation, RewardTier } from '@ponte/kernel';
import { parseCountry, tierCapability, violation } from '@ponte/kernel';
import type { OnboardingMode, ClearKycRequest, ClearRelianceRequest, ClearRepresentative } from '@ponte/contracts';
import { BRAZIL, parseIdentity } from '@ponte/contracts';
import {
  addressViolations,
  ageViolations,
  documentViolations,
  identityViolations,
  pepViolations,
} from './person-rules.domain';
import { walletViolations } from './wallet-rules.domain';
import { fileViolations } from './file-rules.domain';
import type { ParentPermissions, FilesAndWallets } from './rule-inputs.domain';

const PHONE_MAX = 32;

/** Five digits anywhere: countries and extensions are written in many ways (`030/12345 ext. 7`). */
const PHONE = /^(?:\D*\d){5}/;

/** Rules 1 and 2: whether the parent may request accounts at all (403). */
export function permissionViolations(wanted: OnboardingMode, tier: RewardTier, parent: ParentPermissions): Violation[] {
  const capability = tierCapability(tier);
  return [
    ...(parent.active ? [] : [violation('account-not-active', '', 'the parent account is frozen or closed')]),
    ...(wanted === 'kyc' && parent.mode === 'reliance'
      ? [
          violation(
            'reliance-mode-parent',
            '',
            'the parent onboards in reliance mode: use POST /api/v1/accounts/reliance',
          ),
        ]
      : []),
    ...(wanted === 'reliance' && parent.mode === 'kyc'
      ? [violation('kyc-mode-parent', '', 'the parent onboards in kyc mode: use POST /api/v1/accounts/kyc/individual')]
      : []),
    ...(parent.mode !== null && parent.capabilities.includes(capability)
      ? []
      : [violation('missing-capability', 'reward-tier', `the parent lacks the capability ${capability}`)]),
  ];
}

/** Rules 3 to 12 for a request in kyc mode: all violations, in the order of the rules. */
export function requestViolations(request: ClearKycRequest, filesAndWallets: FilesAndWallets): Violation[] {
  const { identifier, taxResidence, representative } = request;
  return [
    ...identityViolations(identifier, taxResidence, '', 'identifier-country-mismatch'),
    ...ageViolations(request.dateOfBirth, filesAndWallets.nowMs, '', 'holder-under-age'),
    ...phoneViolations(request.phone),
    ...addressViolations(request.address, ''),
    ...documentViolations(request.document, taxResidence, ''),
    ...pepViolations(request.pep, ''),
    ...(representative ? representativeViolations(representative, request, filesAndWallets.nowMs) : []),
    ...fileViolations(request, filesAndWallets.knownFiles),
    ...walletViolations(request.externalWallets, filesAndWallets),
  ];
}

/** The parts of rules 3 to 12 that apply if the parent has checked the person itself. */
export function relianceViolations(
  { identifier, taxResidence, taxDocumentType, externalWallets }: ClearRelianceRequest,
  filesAndWallets: FilesAndWallets,
): Violation[] {
  const inBrazil = parseCountry(identifier.country) === BRAZIL;
  return [
    ...identityViolations(
      identifier,
      taxResidence,
      '',
      'identifier-country-mismatch',
      taxDocumentType === 'national-id' ? taxDocumentType : 'passport',
    ),
    ...(inBrazil === (taxDocumentType === 'cpf')
      ? []
      : [
          violation(
            'document-type-not-allowed',
            'tax-document-type',
            'must be cpf if and only if the identifier is of BRA',
          ),
        ]),
    ...walletViolations(externalWallets, filesAndWallets),
  ];
}

/** Rules 8, 9 and 10. */
function representativeViolations(
  representative: ClearRepresentative,
  holder: ClearKycRequest,
  nowMs: number,
): Violation[] {
  const { identifier, taxResidence } = representative;
  const prefix = 'representative.';
  return [
    ...(isSamePerson(holder, representative)
      ? [
          violation(
            'representative-is-holder',
            'representative.identifier',
            'the holder cannot be their own representative',
          ),
        ]
      : []),
    ...identityViolations(identifier, taxResidence, prefix, 'representative-identifier-country-mismatch'),
    ...ageViolations(representative.dateOfBirth, nowMs, prefix, 'representative-under-age'),
    ...documentViolations(representative.document, taxResidence, prefix),
    ...addressViolations(representative.address, prefix),
    ...pepViolations(representative.pep, prefix),
  ];
}

function isSamePerson(holder: ClearKycRequest, representative: ClearRepresentative): boolean {
  const one = parseIdentity(holder.identifier);
  const other = parseIdentity(representative.identifier);
  return one !== undefined && other !== undefined && one.country === other.country && one.number === other.number;
}

const phoneViolations = (phone: string): Violation[] =>
  [...phone].length <= PHONE_MAX && PHONE.test(phone)
    ? []
    : [violation('invalid-phone', 'phone', `must have at most ${PHONE_MAX} characters and at least five digits`)];
