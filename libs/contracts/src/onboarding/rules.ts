import type { Violation, RewardTier } from '@ponte/kernel';
import { isCep, parseCountry, parseEvmAddress, tierCapability, violation } from '@ponte/kernel';
import type { OnboardingMode } from './events';
import { BRAZIL, parseIdentity } from './identity';
import {
  addressViolations,
  ageViolations,
  countryViolations,
  documentViolations,
  identityViolations,
  pepViolations,
} from './person-rules';
import type {
  ClearAddress,
  ClearExternalWallet,
  ClearIdentifier,
  ClearKycRequest,
  ClearRelianceRequest,
  ClearRepresentative,
  TaxDocumentType,
} from './request-form';

/** The parent as rules 1 and 2 see it. */
export interface ParentFacts {
  readonly active: boolean;
  /** Null of a sub-account, which onboards no one. */
  readonly mode: OnboardingMode | null;
  readonly capabilities: readonly string[];
}

/** What rules 3 to 12 need to know besides the request. */
export interface RequestFacts {
  /** Business time, epoch milliseconds. */
  readonly nowMs: number;
  /** Ids, of those the request names, of files that this parent uploaded and that are still there. */
  readonly knownFiles: ReadonlySet<string>;
  /** Lower-case addresses, of those the request names, that another account holds. */
  readonly takenWallets: ReadonlySet<string>;
  /** Lower-case addresses whose proof was not signed by their key. */
  readonly disprovenWallets: ReadonlySet<string>;
}

const PHONE_MAX = 32;
const PHONE = /^\+?[0-9 ().-]{5,}$/;
const EXTERNAL_ID = /^[\x21-\x7e]{1,255}$/;
const FOREIGN_POSTAL_CODE = /^[^\p{Cc}]{1,16}$/u;

/** Rules 1 and 2: who may ask at all (403). */
export function permissionViolations(wanted: OnboardingMode, tier: RewardTier, parent: ParentFacts): Violation[] {
  const capability = tierCapability(tier);
  return [
    ...(parent.active ? [] : [violation('account-not-active', '', 'the parent account is frozen or closed')]),
    ...(wanted === 'kyc' && parent.mode === 'reliance'
      ? [violation('reliance-mode-parent', '', 'the parent onboards in reliance mode: use POST /v1/accounts/reliance')]
      : []),
    ...(wanted === 'reliance' && parent.mode === 'kyc'
      ? [violation('kyc-mode-parent', '', 'the parent onboards in kyc mode: use POST /api/v1/accounts/kyc/individual')]
      : []),
    ...(parent.mode !== null && parent.capabilities.includes(capability)
      ? []
      : [violation('missing-capability', 'reward-tier', `the parent lacks the capability ${capability}`)]),
  ];
}

/** Form that depends on more than one member, for the edge to tell with the rest of the shape (400). */
export const formViolations = (request: ClearKycRequest): Violation[] => [
  ...postalCodeViolations(request.address, 'address'),
  ...(request.representative ? postalCodeViolations(request.representative.address, 'representative.address') : []),
  ...externalIdViolations(request.externalId, holderAndRepresentative(request), [
    request.motherFullName,
    request.email,
    request.phone,
  ]),
];

const holderAndRepresentative = ({ identifier, firstName, lastName, representative }: ClearKycRequest): Named[] => [
  { identifier, firstName, lastName },
  ...(representative ? [representative] : []),
];

/** The same of a request in reliance mode. */
export const relianceFormViolations = ({
  externalId,
  identifier,
  taxDocumentType,
}: ClearRelianceRequest): Violation[] =>
  externalIdViolations(externalId, [{ identifier, taxDocumentType, firstName: '', lastName: '' }], []);

/** Rules 3 to 12 of a request in kyc mode: every violation, in the order of the rules. */
export function requestViolations(request: ClearKycRequest, facts: RequestFacts): Violation[] {
  const { identifier, taxResidence, representative } = request;
  return [
    ...identityViolations(identifier, taxResidence, '', 'identifier-country-mismatch'),
    ...ageViolations(request.dateOfBirth, facts.nowMs, '', 'holder-under-age'),
    ...phoneViolations(request.phone),
    ...addressViolations(request.address, ''),
    ...documentViolations(request.document, taxResidence, ''),
    ...pepViolations(request.pep, ''),
    ...(representative ? representativeViolations(representative, request, facts.nowMs) : []),
    ...fileViolations(request, facts.knownFiles),
    ...walletViolations(request.externalWallets, facts),
  ];
}

/** What remains of rules 3 to 12 when the parent has judged the person itself. */
export function relianceViolations(
  { identifier, taxResidence, taxDocumentType, externalWallets }: ClearRelianceRequest,
  facts: RequestFacts,
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
            'cpf goes with an identifier of BRA, and with no other',
          ),
        ]),
    ...walletViolations(externalWallets, facts),
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

/** Rule 11. A file of another parent is refused as one that never was. */
export const fileViolations = (
  request: Pick<ClearKycRequest, 'document' | 'representative'>,
  known: ReadonlySet<string>,
): Violation[] =>
  namedFiles(request)
    .filter(({ fileId }) => !known.has(fileId))
    .map(({ path }) => violation('file-not-found', path, 'no file of this id was uploaded by the parent account'));

/** The files that a request names, and where. */
export function namedFiles({
  document,
  representative,
}: Pick<ClearKycRequest, 'document' | 'representative'>): { readonly path: string; readonly fileId: string }[] {
  const sides = (prefix: string, { frontFileId, backFileId }: ClearKycRequest['document']) => [
    { path: `${prefix}document.front-file-id`, fileId: frontFileId },
    ...(backFileId === null ? [] : [{ path: `${prefix}document.back-file-id`, fileId: backFileId }]),
  ];
  return [
    ...sides('', document),
    ...(representative
      ? [
          ...sides('representative.', representative.document),
          { path: 'representative.power-of-attorney-file-id', fileId: representative.powerOfAttorneyFileId },
        ]
      : []),
  ];
}

/** Rule 12. */
export function walletViolations(
  wallets: readonly ClearExternalWallet[],
  facts: Pick<RequestFacts, 'takenWallets' | 'disprovenWallets'>,
): Violation[] {
  const seen = new Set<string>();
  return wallets.flatMap(({ address: text, custodyCountry }, at) => {
    const path = `external-wallets[${at}]`;
    const country = custodyCountry === null ? [] : countryViolations(custodyCountry, `${path}.custody-country`);
    const parsed = parseEvmAddress(text);
    if (!parsed.ok)
      return [
        violation(parsed.code, path, 'must be an EVM address, in one case or with its EIP-55 checksum'),
        ...country,
      ];
    const { address } = parsed;
    const repeated = seen.has(address);
    seen.add(address);
    return [
      ...(repeated ? [violation('duplicate-external-wallet', path, 'each address stands once in the list')] : []),
      ...(facts.takenWallets.has(address)
        ? [violation('external-wallet-already-registered', path, 'the address is registered to another account')]
        : []),
      ...(facts.disprovenWallets.has(address)
        ? [
            violation(
              'invalid-wallet-proof',
              `${path}.proof`,
              'the signature is not one of this address over the message',
            ),
          ]
        : []),
      ...country,
    ];
  });
}

/** The addresses that can be read, each once, lower-case. */
export const walletAddresses = (wallets: readonly ClearExternalWallet[]): string[] => [
  ...new Set(
    wallets.flatMap(({ address }) => {
      const parsed = parseEvmAddress(address);
      return parsed.ok ? [parsed.address] : [];
    }),
  ),
];

const phoneViolations = (phone: string): Violation[] =>
  phone.length <= PHONE_MAX && PHONE.test(phone)
    ? []
    : [violation('invalid-phone', 'phone', `must be a telephone number of at most ${PHONE_MAX} characters`)];

/** `path` is that of the address. */
export const postalCodeViolations = ({ country, postalCode }: ClearAddress, path: string): Violation[] =>
  (parseCountry(country) === BRAZIL ? isCep(postalCode) : FOREIGN_POSTAL_CODE.test(postalCode))
    ? []
    : [
        violation(
          'invalid-format',
          `${path}.postal-code`,
          'must be a CEP (12345-678) in BRA, 1 to 16 characters elsewhere',
        ),
      ];

interface Named {
  readonly identifier: ClearIdentifier;
  readonly taxDocumentType?: TaxDocumentType;
  readonly firstName: string;
  readonly lastName: string;
}

/** A shorter text of those that are no number and no name stands in other words and numbers by chance. */
const LEAST_TELLING = 8;
/** A shorter name, such as one letter of Latin, stands in other words by chance, unless it is the whole id. */
const LEAST_NAME = 4;

/**
 * It is stored and shown in clear, so it must not give anybody away. `others` are further texts of the request that
 * would.
 */
function externalIdViolations(
  externalId: string | null,
  people: readonly Named[],
  others: readonly string[],
): Violation[] {
  if (externalId === null) return [];
  if (!EXTERNAL_ID.test(externalId))
    return [violation('invalid-format', 'external-id', 'must be 1 to 255 printable ASCII characters, without spaces')];
  const shown = bare(externalId);
  const telling = [
    ...people.map(({ identifier, taxDocumentType }) => parseIdentity(identifier, taxDocumentType)?.number ?? ''),
    ...people
      .map(({ firstName, lastName }) => bare(`${firstName} ${lastName}`))
      .filter((name) => name.length >= LEAST_NAME || name === shown),
    ...others.map(bare).filter((text) => text.length >= LEAST_TELLING),
  ];
  return telling.some((text) => text !== '' && shown.includes(text))
    ? [
        violation(
          'invalid-format',
          'external-id',
          'it is stored in clear, so it must not hold a name, a number or an address of the person',
        ),
      ]
    : [];
}

const bare = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[^0-9A-Za-z]/g, '')
    .toUpperCase();
