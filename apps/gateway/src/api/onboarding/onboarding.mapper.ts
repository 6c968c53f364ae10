import type {
  AccountRequestRecord,
  ClearAddress,
  ClearExternalWallet,
  ClearFinancialProfile,
  ClearInformation,
  ClearKycRequest,
  ClearPep,
  ClearRelianceRequest,
  ClearRepresentative,
  DocumentFiles,
} from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import { pick } from '@ponte/kernel';
import type { AccountRequestDto } from './account-request.dto';
import type { AddressDto, DocumentDto, FinancialProfileDto, PepDto } from './person.dto';
import type { ExternalWalletDto } from './external-wallet.dto';
import type { InformationDto, KycRequestDto, RelianceRequestDto, RepresentativeDto } from './request.dto';

export const kycRequest = (body: KycRequestDto): ClearKycRequest => ({
  identifier: { value: body.identifier.value, country: body.identifier.country },
  taxResidence: body['tax-residence'],
  rewardTier: body['reward-tier'],
  firstName: body['first-name'],
  lastName: body['last-name'],
  email: body.email,
  phone: body.phone,
  dateOfBirth: body['date-of-birth'],
  motherFullName: body['mother-full-name'],
  address: address(body.address),
  document: identityDocument(body.document),
  liveness: { id: body.liveness.id, provider: body.liveness.provider },
  pep: pep(body.pep),
  financialProfile: financialProfile(body['financial-profile']),
  representative: body.representative ? representative(body.representative) : null,
  externalWallets: (body['external-wallets'] ?? []).map(externalWallet),
  externalId: body['external-id'] ?? null,
});

export const relianceRequest = (body: RelianceRequestDto): ClearRelianceRequest => ({
  identifier: { value: body.identifier.value, country: body.identifier.country },
  taxDocumentType: body['tax-document-type'],
  taxResidence: body['tax-residence'],
  kycAttestationId: body['kyc-attestation-id'],
  rewardTier: body['reward-tier'],
  externalWallets: (body['external-wallets'] ?? []).map(externalWallet),
  externalId: body['external-id'] ?? null,
});

export const information = (body: InformationDto): ClearInformation => ({
  address: body.address ? address(body.address) : null,
  document: body.document ? identityDocument(body.document) : null,
  liveness: body.liveness ? { id: body.liveness.id, provider: body.liveness.provider } : null,
  representativeAddress: body['representative-address'] ? address(body['representative-address']) : null,
  representativeDocument: body['representative-document'] ? identityDocument(body['representative-document']) : null,
  powerOfAttorneyFileId: body['power-of-attorney-file-id'] ?? null,
  otherFileIds: body['other-file-ids'] ?? [],
  note: body.note ?? null,
});

const address = (one: AddressDto): ClearAddress => ({
  postalCode: one['postal-code'],
  line1: one.line1,
  line2: one.line2 ?? '',
  city: one.city,
  state: one.state ?? null,
  country: one.country,
});

const identityDocument = (one: DocumentDto): DocumentFiles => ({
  type: one.type,
  frontFileId: one['front-file-id'],
  backFileId: one['back-file-id'] ?? null,
});

/** With `declared: false` the other fields are ignored. */
const pep = (one: PepDto): ClearPep =>
  one.declared
    ? {
        declared: true,
        fullName: one['full-name'] ?? null,
        role: one.role ?? null,
        relationship: one.relationship ?? null,
      }
    : { declared: false, fullName: null, role: null, relationship: null };

const financialProfile = (one: FinancialProfileDto): ClearFinancialProfile => ({
  sector: one.sector,
  currency: one.currency,
  monthlyIncome: one['monthly-income'],
  netWorth: one['net-worth'] ?? null,
  sourceOfFunds: one['source-of-funds'] ?? null,
});

const representative = (one: RepresentativeDto): ClearRepresentative => ({
  identifier: { value: one.identifier.value, country: one.identifier.country },
  taxResidence: one['tax-residence'],
  firstName: one['first-name'],
  lastName: one['last-name'],
  dateOfBirth: one['date-of-birth'],
  address: address(one.address),
  document: identityDocument(one.document),
  pep: pep(one.pep),
  powerOfAttorneyFileId: one['power-of-attorney-file-id'],
});

const externalWallet = (one: ExternalWalletDto): ClearExternalWallet => ({
  address: one.address,
  custodyType: one['custody-type'] ?? 'self',
  custodyCountry: one['custody-country'] ?? null,
  custodianName: one['custodian-name'] ?? null,
  proof: one.proof ? { message: one.proof.message, signature: one.proof.signature } : null,
});

/** The record contains the identifier masked and sealed; it is opened for its partner only. */
export async function accountRequestDto(
  request: AccountRequestRecord,
  personalData: Pick<PersonalData, 'open'>,
): Promise<AccountRequestDto> {
  const { requirements, reason, failure, informationDueAt, country } = request;
  return {
    id: request.requestId,
    'account-id': request.accountId,
    'parent-id': request.parentId,
    ...pick(request, 'mode', 'type', 'status'),
    ...(request.reviewStage === null ? {} : { 'review-stage': request.reviewStage }),
    'reward-tier': request.rewardTier,
    identifier: { value: await personalData.open(request.maskedIdentifier), country },
    country,
    ...(request.externalId === null ? {} : { 'external-id': request.externalId }),
    requirements: {
      complete: [...requirements.complete],
      pending: [...requirements.pending],
      missing: [...requirements.missing],
      issues: [...requirements.issues],
    },
    ...(reason === null ? {} : { reason }),
    ...(failure === null
      ? {}
      : { failure: { code: failure.code, message: failure.message, retryable: failure.retryable } }),
    ...(informationDueAt === null ? {} : { 'information-due-at': informationDueAt }),
    'created-at': request.createdAt,
    'status-updated-at': request.statusUpdatedAt,
  };
}
