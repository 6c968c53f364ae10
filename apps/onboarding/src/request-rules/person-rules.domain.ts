import type { ErrorCode, Violation } from '@ponte/kernel';
import { isAdult, isFederalUnit, parseCountry, violation } from '@ponte/kernel';
import { BRAZIL, parseIdentity } from '@ponte/contracts';
import type { ClearAddress, ClearIdentifier, ClearPep, DocumentFiles, TaxDocumentType } from '@ponte/contracts';

/*
 * The rules that apply to both the holder and the representative. `prefix` is empty or `representative.`. The codes are
 * the same, except for two that name the person.
 */

const isBrazil = (country: string): boolean => parseCountry(country) === BRAZIL;

/** Rules 3 and 9. A number of a country other than BRA is a passport's unless it is stated to be a national id. */
export function identityViolations(
  identifier: ClearIdentifier,
  taxResidence: string,
  prefix: string,
  mismatch: ErrorCode,
  stated: TaxDocumentType = 'passport',
): Violation[] {
  const unknown = [
    ...countryViolations(identifier.country, `${prefix}identifier.country`),
    ...countryViolations(taxResidence, `${prefix}tax-residence`),
  ];
  if (unknown.length > 0) return unknown;
  const inBrazil = isBrazil(identifier.country);
  return [
    ...(inBrazil === isBrazil(taxResidence)
      ? []
      : [
          violation(
            mismatch,
            `${prefix}identifier.country`,
            'must be BRA if tax-residence is BRA, and another country otherwise',
          ),
        ]),
    ...(parseIdentity(identifier, stated)
      ? []
      : [numberViolation(inBrazil ? 'cpf' : stated, `${prefix}identifier.value`)]),
  ];
}

function numberViolation(document: TaxDocumentType, path: string): Violation {
  switch (document) {
    case 'cpf':
      return violation('invalid-cpf', path, 'must be a CPF with valid check digits');
    case 'passport':
      return violation('invalid-passport', path, 'must be a passport number of 5 to 20 letters and digits');
    case 'national-id':
      return violation('invalid-national-id', path, 'must be the number of a national id, 4 to 20 letters and digits');
  }
}

/** Rule 4, and the corresponding rule for the representative. */
export const ageViolations = (dateOfBirth: string, nowMs: number, prefix: string, code: ErrorCode): Violation[] =>
  isAdult(dateOfBirth, nowMs)
    ? []
    : [violation(code, `${prefix}date-of-birth`, 'must be a date at least 18 years ago')];

/** Rule 5. */
export function addressViolations({ country, state }: ClearAddress, prefix: string): Violation[] {
  const unknown = countryViolations(country, `${prefix}address.country`);
  if (unknown.length > 0 || !isBrazil(country)) return unknown;
  const path = `${prefix}address.state`;
  if (state === null || state.trim() === '')
    return [
      violation(
        'state-required',
        path,
        'is required for an address in Brazil: the two-letter code of the state, such as SP',
      ),
    ];
  return isFederalUnit(state)
    ? []
    : [violation('invalid-state', path, 'must be the two-letter code of a Brazilian state in capitals, such as SP')];
}

/** Rule 6. */
export function documentViolations(
  { type, backFileId }: DocumentFiles,
  taxResidence: string,
  prefix: string,
): Violation[] {
  const foreign = parseCountry(taxResidence) !== undefined && !isBrazil(taxResidence);
  const path = `${prefix}document.back-file-id`;
  return [
    ...(foreign && type !== 'passport'
      ? [
          violation(
            'document-type-not-allowed',
            `${prefix}document.type`,
            'a tax residence other than BRA requires a passport',
          ),
        ]
      : []),
    ...(type === 'rg' && backFileId === null
      ? [violation('back-file-required', path, 'an rg needs a file for the back side')]
      : []),
    ...(type !== 'rg' && backFileId !== null
      ? [violation('back-file-not-allowed', path, `a ${type} must not have a file for the back side`)]
      : []),
  ];
}

/** Rule 7. With `declared: false` the other fields are ignored. */
export function pepViolations(pep: ClearPep, prefix: string): Violation[] {
  if (!pep.declared) return [];
  const wanted = [
    ['full-name', pep.fullName],
    ['role', pep.role],
    ['relationship', pep.relationship],
  ] as const;
  return wanted
    .filter(([, value]) => value === null || value.trim() === '')
    .map(([member]) =>
      violation(
        'pep-details-required',
        `${prefix}pep.${member}`,
        'a declared PEP must have full-name, role and relationship',
      ),
    );
}

export const countryViolations = (country: string, path: string): Violation[] =>
  parseCountry(country) === undefined ? [violation('invalid-country', path, 'must be an ISO 3166-1 alpha-3 code')] : [];
