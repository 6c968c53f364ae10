import type { TaxDocumentType } from '@ponte/contracts';
import { TAX_DOCUMENT_TYPES } from '@ponte/contracts';
import type { Violation, RewardTier } from '@ponte/kernel';
import { ApiExtraModels } from '@nestjs/swagger';
import type { OperationSpec } from '../../openapi/operation-spec';
import { described } from '../../openapi/operation-spec';
import { oneOf } from '../../validation/field-types';
import { exampleOf, isPlainObject, OptionalObjects, Required } from '../../validation/fields';
import { loose, rewardTier, words } from '../../validation/person-field-types';
import { RELIANCE_FORM } from '../onboarding/onboarding.forms';
import { REQUESTING_RELIANCE } from '../onboarding/onboarding.operations';
import type { RelianceRequestDto } from '../onboarding/request.dto';
import { ExternalWalletDto, OrBare, WALLET_LIST } from '../onboarding/external-wallet.dto';
import { REWARD_TIER } from '../onboarding/person.dto';
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

  @Required(rewardTier, REWARD_TIER, 90)
  'reward-tier'!: RewardTier;

  @OrBare()
  @OptionalObjects(
    () => ExternalWalletDto,
    'Wallets of the holder, as objects or as plain addresses; whitelisted when the request is approved',
    WALLET_LIST,
  )
  'external-wallets'?: ExternalWalletDto[];
}

/** Converts the request to the form of `POST /api/v1/accounts/reliance`. */
export const relianceOf = ({ 'tax-id': value, ...body }: AccountCreationDto): RelianceRequestDto => ({
  ...body,
  identifier: { value, country: body['tax-document-type'] === 'cpf' ? 'BRA' : body['tax-residence'] },
});

/** Converts violations of the reliance form to those of this form, each once. */
export const violationsHere = (violations: readonly Violation[]): Violation[] =>
  violations
    .map(violationHere)
    .filter(({ path, code }, at, all) => all.findIndex((one) => one.path === path && one.code === code) === at);

function violationHere(violation: Violation): Violation {
  const { path, code } = violation;
  if (code === 'identifier-country-mismatch')
    return { ...violation, path: 'tax-id', message: 'must be a CPF if and only if tax-residence is BRA' };
  if (code === 'document-type-not-allowed')
    return { ...violation, message: 'must be cpf if and only if tax-residence is BRA' };
  // The country of the identifier is that of tax residence.
  if (path === 'identifier.country') return { ...violation, path: 'tax-residence' };
  return path.startsWith('identifier') ? { ...violation, path: 'tax-id' } : violation;
}

const violations = (body: unknown): readonly Violation[] =>
  isPlainObject(body)
    ? violationsHere(RELIANCE_FORM.violations?.(relianceOf(body as unknown as AccountCreationDto)) ?? [])
    : [];

export const CREATING_ACCOUNT: Omit<OperationSpec, 'id'> = {
  ...REQUESTING_RELIANCE,
  operation: 'create-account',
  secretAnswer: false,
  summary: 'Request an account for a person whose identity you have checked',
  body: described(AccountCreationDto, exampleOf(AccountCreationDto), { ...RELIANCE_FORM, violations }),
  answer: described(AccountEnvelopeDto, { account: { ...ACCOUNT_EXAMPLE, status: 'pending' } }),
};
