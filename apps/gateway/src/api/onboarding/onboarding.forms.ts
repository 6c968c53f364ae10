import type { ClearAddress, ClearIdentifier, ClearKycRequest, ClearRelianceRequest } from '@ponte/contracts';
import { formViolations, postalCodeViolations, relianceFormViolations } from '@ponte/contracts';
import type { Violation } from '@ponte/kernel';
import { violation } from '@ponte/kernel';
import type { BodyForm } from '../../validation/shape-check';
import { isPlainObject } from '../../validation/fields';

/*
 * Rules that involve more than one field are onboarding's rules. Their violations are reported together with the
 * violations of the shape, even when other fields are invalid. Therefore a body of any shape is read as far as
 * possible, and an unreadable field is replaced by a value that violates no such rule.
 */

type Body = Readonly<Record<string, unknown>>;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A country without a rule for postal codes, so this address violates nothing. */
const SOMEWHERE = { postalCode: '0', country: 'USA' };

function address(value: unknown): ClearAddress {
  const isReadable =
    isPlainObject(value) && typeof value['postal-code'] === 'string' && typeof value['country'] === 'string';
  const place = isReadable
    ? { postalCode: textOf(value['postal-code']), country: textOf(value['country']) }
    : SOMEWHERE;
  return { ...place, line1: '', line2: '', city: '', state: null };
}

function identifier(value: unknown): ClearIdentifier {
  return isPlainObject(value)
    ? { value: textOf(value['value']), country: textOf(value['country']) }
    : { value: '', country: '' };
}

const person = (body: Body) => ({
  identifier: identifier(body['identifier']),
  firstName: textOf(body['first-name']),
  lastName: textOf(body['last-name']),
  address: address(body['address']),
});

const externalId = (body: Body): string | null =>
  typeof body['external-id'] === 'string' ? body['external-id'] : null;

/** Reads only the fields that the form rules check. */
const kycViolations = (body: Body): Violation[] => {
  const { representative } = body;
  const read: Pick<
    ClearKycRequest,
    keyof ReturnType<typeof person> | 'motherFullName' | 'email' | 'phone' | 'externalId'
  > = {
    ...person(body),
    motherFullName: textOf(body['mother-full-name']),
    email: textOf(body['email']),
    phone: textOf(body['phone']),
    externalId: externalId(body),
  };
  return formViolations({
    ...read,
    representative: isPlainObject(representative) ? person(representative) : null,
  } as ClearKycRequest);
};

const relianceViolations = (body: Body): Violation[] =>
  relianceFormViolations({
    identifier: identifier(body['identifier']),
    taxDocumentType: body['tax-document-type'],
    externalId: externalId(body),
  } as ClearRelianceRequest);

const informationViolations = (body: Body): Violation[] => [
  ...(Object.keys(body).length === 0
    ? [violation('missing-field', '', 'must contain at least one of the requested fields')]
    : []),
  ...postalCodeViolations(address(body['address']), 'address'),
  ...postalCodeViolations(address(body['representative-address']), 'representative-address'),
];

const ofObject =
  (violations: (body: Body) => readonly Violation[]) =>
  (value: unknown): readonly Violation[] =>
    isPlainObject(value) ? violations(value) : [];

/** Expands wallets that were sent as bare address strings to objects. */
function expandWallets(body: unknown): unknown {
  if (!isPlainObject(body) || !Array.isArray(body['external-wallets'])) return body;
  return {
    ...body,
    'external-wallets': body['external-wallets'].map((one: unknown) =>
      typeof one === 'string' ? { address: one } : one,
    ),
  };
}

export const KYC_FORM: BodyForm = { prepare: expandWallets, violations: ofObject(kycViolations) };
export const RELIANCE_FORM: BodyForm = { prepare: expandWallets, violations: ofObject(relianceViolations) };
export const INFORMATION_FORM: BodyForm = { violations: ofObject(informationViolations) };
