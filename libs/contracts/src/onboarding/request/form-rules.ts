import type { Violation } from '@ponte/kernel';
import { isCep, parseCountry, violation } from '@ponte/kernel';
import { BRAZIL } from '../identity';
import type { ClearAddress, ClearKycRequest, ClearRelianceRequest } from './request-form';
import type { Named } from './external-id-rules';
import { externalIdViolations } from './external-id-rules';

const FOREIGN_POSTAL_CODE = /^[^\p{Cc}]{1,16}$/u;

/** Shape rules that involve several fields. The gateway reports them with the other shape errors (400). */
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

/** The same for a request in reliance mode. */
export const relianceFormViolations = ({
  externalId,
  identifier,
  taxDocumentType,
}: ClearRelianceRequest): Violation[] =>
  externalIdViolations(externalId, [{ identifier, taxDocumentType, firstName: '', lastName: '' }], []);

/** `path`: the path of the address. */
export const postalCodeViolations = ({ country, postalCode }: ClearAddress, path: string): Violation[] =>
  (parseCountry(country) === BRAZIL ? isCep(postalCode) : FOREIGN_POSTAL_CODE.test(postalCode))
    ? []
    : [
        violation(
          'invalid-format',
          `${path}.postal-code`,
          'must be a CEP (12345-678) in Brazil, 1 to 16 characters elsewhere',
        ),
      ];
