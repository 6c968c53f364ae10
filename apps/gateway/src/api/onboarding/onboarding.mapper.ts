import type {
  AccountRequestRecord,
  ClearAddress,
  ClearExternalWallet,
  ClearFinancialProfile,
  ClearInformation,
  ClearKycRequest,
  ClearPep,
  ClearPerson,
  ClearRelianceRequest,
  ClearRepresentative,
  DocumentFiles,
} from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import { fromWire, pick, toWire, toWireIfSet } from '@ponte/kernel';
import type { AccountRequestDto } from './account-request.dto';
import type { AddressDto, DocumentDto, FinancialProfileDto, PepDto } from './person.dto';
import type { ExternalWalletDto } from './external-wallet.dto';
import type { InformationDto, KycRequestDto, RelianceRequestDto, RepresentativeDto } from './request.dto';

export const kycRequest = (body: KycRequestDto): ClearKycRequest => ({
  ...person(body),
  ...fromWire(body, 'rewardTier', 'email', 'phone', 'motherFullName', 'externalId'),
  liveness: pick(body.liveness, 'id', 'provider'),
  financialProfile: financialProfile(body['financial-profile']),
  representative: body.representative ? representative(body.representative) : null,
  externalWallets: (body['external-wallets'] ?? []).map(externalWallet),
});

export const relianceRequest = (body: RelianceRequestDto): ClearRelianceRequest => ({
  identifier: pick(body.identifier, 'value', 'country'),
  ...fromWire(body, 'taxDocumentType', 'taxResidence', 'kycAttestationId', 'rewardTier', 'externalId'),
  externalWallets: (body['external-wallets'] ?? []).map(externalWallet),
});

export const information = (body: InformationDto): ClearInformation => ({
  address: body.address ? address(body.address) : null,
  document: body.document ? identityDocument(body.document) : null,
  liveness: body.liveness ? pick(body.liveness, 'id', 'provider') : null,
  representativeAddress: body['representative-address'] ? address(body['representative-address']) : null,
  representativeDocument: body['representative-document'] ? identityDocument(body['representative-document']) : null,
  ...fromWire(body, 'powerOfAttorneyFileId', 'note'),
  otherFileIds: body['other-file-ids'] ?? [],
});

const address = (one: AddressDto): ClearAddress => ({
  ...fromWire(one, 'postalCode', 'line1', 'city', 'state', 'country'),
  line2: one.line2 ?? '',
});

const identityDocument = (one: DocumentDto): DocumentFiles => fromWire(one, 'type', 'frontFileId', 'backFileId');

/** With `declared: false` the other fields are ignored. */
const pep = (one: PepDto): ClearPep =>
  one.declared
    ? fromWire(one, 'declared', 'fullName', 'role', 'relationship')
    : { declared: false, fullName: null, role: null, relationship: null };

const financialProfile = (one: FinancialProfileDto): ClearFinancialProfile =>
  fromWire(one, 'sector', 'currency', 'monthlyIncome', 'netWorth', 'sourceOfFunds');

/** The fields that the holder and the representative have in common. */
const person = (one: KycRequestDto | RepresentativeDto): ClearPerson => ({
  identifier: pick(one.identifier, 'value', 'country'),
  ...fromWire(one, 'taxResidence', 'firstName', 'lastName', 'dateOfBirth'),
  address: address(one.address),
  document: identityDocument(one.document),
  pep: pep(one.pep),
});

const representative = (one: RepresentativeDto): ClearRepresentative => ({
  ...person(one),
  powerOfAttorneyFileId: one['power-of-attorney-file-id'],
});

const externalWallet = (one: ExternalWalletDto): ClearExternalWallet => ({
  ...fromWire(one, 'address', 'custodyCountry', 'custodianName'),
  custodyType: one['custody-type'] ?? 'self',
  proof: one.proof ? pick(one.proof, 'message', 'signature') : null,
});

/** The record contains the identifier masked and sealed; it is opened for its partner only. */
export async function accountRequestDto(
  request: AccountRequestRecord,
  personalData: Pick<PersonalData, 'open'>,
): Promise<AccountRequestDto> {
  const { requirements, failure, country } = request;
  return {
    id: request.requestId,
    ...toWire(request, 'accountId', 'parentId', 'mode', 'type', 'status'),
    ...toWireIfSet(request, 'reviewStage'),
    'reward-tier': request.rewardTier,
    identifier: { value: await personalData.open(request.maskedIdentifier), country },
    country,
    ...toWireIfSet(request, 'externalId'),
    requirements: {
      complete: [...requirements.complete],
      pending: [...requirements.pending],
      missing: [...requirements.missing],
      issues: [...requirements.issues],
    },
    ...toWireIfSet(request, 'reason'),
    ...(failure === null ? {} : { failure: pick(failure, 'code', 'message', 'retryable') }),
    ...toWireIfSet(request, 'informationDueAt'),
    ...toWire(request, 'createdAt', 'statusUpdatedAt'),
  };
}
