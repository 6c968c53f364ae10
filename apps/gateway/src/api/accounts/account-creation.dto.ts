import type { TaxDocumentType } from '@ponte/contracts';
import { TAX_DOCUMENT_TYPES } from '@ponte/contracts';
import type { Violation, RewardTier } from '@ponte/kernel';
import { REWARD_TIERS } from '@ponte/kernel';
import { ApiExtraModels } from '@nestjs/swagger';
import type { OperationSpec } from '../../openapi/operation-spec';
import { described } from '../../openapi/operation-spec';
import { oneOf } from '../../validation/field-types';
import { exampleOf, isPlainObject, OptionalObjects, Required } from '../../validation/members';
import { loose, numberOf, words } from '../../validation/person-field-types';
import { RELIANCE_FORM } from '../onboarding/onboarding.forms';
import { REQUESTING_RELIANCE } from '../onboarding/onboarding.operations';
import type { RelianceRequestDto } from '../onboarding/request.dto';
import { AtMostFifty, ExternalWalletDto, OrBare, WALLET_FORM } from '../onboarding/external-wallet.dto';
import { ACCOUNT_EXAMPLE, AccountEnvelopeDto } from './account.dto';

/** The body of `POST /api/v1/accounts`: a reliance request in the published shape. */
@ApiExtraModels(ExternalWalletDto)
export class AccountCreationDto {
  @Required(loose(64), 'Number of the document', '529.982.247-25')
  'tax-id'!: string;

  @Required(
    oneOf(TAX_DOCUMENT_TYPES),
    'Type of the document. A cpf is Brazilian; any other document is issued by the country of tax residence',
    'cpf',
  )
  'tax-document-type'!: TaxDocumentType;

  @Required(loose(16), 'ISO 3166-1 alpha-3, in upper or lower case', 'BRA')
  'tax-residence'!: string;

  @Required(words(200), 'Your reference for your identity check', 'attestation-2026-0042')
  'kyc-attestation-id'!: string;

  @Required(
    numberOf(REWARD_TIERS),
    'Reward tier in percent, as a JSON number; the parent account must have the capability of the tier',
    90,
  )
  'reward-tier'!: RewardTier;

  @OrBare()
  @AtMostFifty()
  @OptionalObjects(
    () => ExternalWalletDto,
    'Wallets of the holder, as objects or as plain addresses; whitelisted when the request is approved',
    WALLET_FORM,
  )
  'external-wallets'?: ExternalWalletDto[];
}

/** Converts the request to the form of `POST /api/v1/accounts/reliance`. */
export const relianceOf = ({ 'tax-id': value, ...body }: AccountCreationDto): RelianceRequestDto => ({
  ...body,
  identifier: { value, country: body['tax-document-type'] === 'cpf' ? 'BRA' : body['tax-residence'] },
});

/** The country of the identifier follows from the type of the document. */
const WRONG_TYPE = {
  path: 'tax-document-type',
  message: 'must be cpf if tax-residence is BRA, and another type otherwise',
};

/** Converts a violation of the reliance form to the fields that this form has. */
export function violationHere(violation: Violation): Violation {
  if (violation.code === 'identifier-country-mismatch') return { ...violation, ...WRONG_TYPE };
  return violation.path.startsWith('identifier') ? { ...violation, path: 'tax-id' } : violation;
}

const violations = (body: unknown): readonly Violation[] =>
  isPlainObject(body)
    ? (RELIANCE_FORM.violations?.(relianceOf(body as unknown as AccountCreationDto)) ?? []).map(violationHere)
    : [];

export const CREATING_ACCOUNT: Omit<OperationSpec, 'id'> = {
  ...REQUESTING_RELIANCE,
  operation: 'create-account',
  secretAnswer: false,
  summary: 'Request an account for a person whose identity you have checked',
  body: described(AccountCreationDto, exampleOf(AccountCreationDto), { ...RELIANCE_FORM, violations }),
  answer: described(AccountEnvelopeDto, { account: { ...ACCOUNT_EXAMPLE, status: 'pending' } }),
};
