import type {
  ClearAddress,
  ClearFinancialProfile,
  ClearPep,
  RequestDetails,
  SealedKycPerson,
  SealedPerson,
} from '@ponte/contracts';
import type { PersonalData, Sealed } from '@ponte/event-sourcing';
import { ERASED } from '@ponte/event-sourcing';
import { toWire } from '@ponte/kernel';
import type { CaseHolderDto, CasePersonDto, CaseRepresentativeDto } from './person.dto';

export type Opening = Pick<PersonalData, 'open'>;
type Kyc = Extract<RequestDetails, { mode: 'kyc' }>;

/** Unseals an object that was sealed as JSON and converts it with `form`; null for an erased person. */
async function opened<T, R>(data: Opening, sealed: Sealed, form: (clear: T) => R): Promise<R | null> {
  const text = await data.open(sealed);
  return text === ERASED ? null : form(JSON.parse(text) as T);
}

async function person(data: Opening, { identifier, country, taxResidence }: SealedPerson): Promise<CasePersonDto> {
  const value = await data.open(identifier);
  return { erased: value === ERASED, identifier: { value, country }, 'tax-residence': taxResidence };
}

async function kycPerson(
  data: Opening,
  sealed: SealedKycPerson,
): Promise<Omit<CaseRepresentativeDto, 'power-of-attorney-file-id'>> {
  const [common, first, last, birth, address, pep] = await Promise.all([
    person(data, sealed),
    data.open(sealed.firstName),
    data.open(sealed.lastName),
    data.open(sealed.dateOfBirth),
    opened(data, sealed.address, (one: ClearAddress) =>
      toWire(one, 'postalCode', 'line1', 'line2', 'city', 'state', 'country'),
    ),
    opened(data, sealed.pep, (one: ClearPep) => toWire(one, 'declared', 'fullName', 'role', 'relationship')),
  ]);
  return {
    ...common,
    'first-name': first,
    'last-name': last,
    'date-of-birth': birth,
    address,
    document: toWire(sealed.document, 'type', 'frontFileId', 'backFileId'),
    pep,
  };
}

export async function holderDto(data: Opening, details: RequestDetails): Promise<CaseHolderDto> {
  if (details.mode === 'reliance')
    return {
      ...(await person(data, details.holder)),
      address: null,
      document: null,
      pep: null,
      'financial-profile': null,
    };
  const { holder, motherFullName, email, phone, financialProfile } = details;
  const [common, mother, mail, telephone, profile] = await Promise.all([
    kycPerson(data, holder),
    data.open(motherFullName),
    data.open(email),
    data.open(phone),
    opened(data, financialProfile, (one: ClearFinancialProfile) => ({
      ...toWire(one, 'sector', 'currency', 'monthlyIncome', 'netWorth'),
      'source-of-funds': one.sourceOfFunds && [...one.sourceOfFunds],
    })),
  ]);
  return { ...common, 'mother-full-name': mother, email: mail, phone: telephone, 'financial-profile': profile };
}

export async function representativeDto(data: Opening, { representative }: Kyc): Promise<CaseRepresentativeDto | null> {
  return (
    representative && {
      ...(await kycPerson(data, representative)),
      'power-of-attorney-file-id': representative.powerOfAttorneyFileId,
    }
  );
}
