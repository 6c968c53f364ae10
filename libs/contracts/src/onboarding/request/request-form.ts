import type { RewardTier } from '@ponte/kernel';

/*
 * An account request as the partner sent it, with names in camelCase and otherwise unchanged. It exists in clear only
 * in the gateway and in onboarding; between them it is sealed (`sealRequest`).
 */

export const DOCUMENT_TYPES = ['rg', 'cnh', 'passport'] as const;
export type DocumentType = (typeof DOCUMENT_TYPES)[number];

export const PEP_RELATIONSHIPS = ['self', 'spouse', 'child', 'parent', 'business_associate', 'other'] as const;
export type PepRelationship = (typeof PEP_RELATIONSHIPS)[number];

export const SECTORS = [
  'other',
  'gambling',
  'weapons',
  'adult',
  'mining',
  'remittances',
  'crypto',
  'art',
  'realty',
  'vehicles',
  'nonprofits',
  'tcsp',
  'scrap',
  'hospitality',
  'factoring',
  'trade',
  'construction',
  'agribusiness',
  'consulting',
] as const;
export type Sector = (typeof SECTORS)[number];

export const PROFILE_CURRENCIES = ['BRL', 'USD'] as const;
export type ProfileCurrency = (typeof PROFILE_CURRENCIES)[number];

export const FUND_SOURCES = ['salary', 'business', 'investment', 'inheritance', 'asset_sale', 'other'] as const;
export type FundSource = (typeof FUND_SOURCES)[number];

export type CustodyType = 'self' | 'exchange';

export const TAX_DOCUMENT_TYPES = ['cpf', 'passport', 'national-id'] as const;
export type TaxDocumentType = (typeof TAX_DOCUMENT_TYPES)[number];

/** Placeholders, because the specification does not name the vendors; configuration replaces them. */
export const DEFAULT_LIVENESS_PROVIDERS = [
  'provider-1',
  'provider-2',
  'provider-3',
  'provider-4',
  'provider-5',
] as const;

/** `value` is a CPF for the country BRA, and otherwise the number of a passport or, where stated, of a national id. */
export interface ClearIdentifier {
  readonly value: string;
  readonly country: string;
}

export interface ClearAddress {
  readonly postalCode: string;
  readonly line1: string;
  /** May be empty. */
  readonly line2: string;
  readonly city: string;
  readonly state: string | null;
  readonly country: string;
}

export interface DocumentFiles {
  readonly type: DocumentType;
  readonly frontFileId: string;
  readonly backFileId: string | null;
}

/** With `declared: false` the other fields have no meaning. */
export interface ClearPep {
  readonly declared: boolean;
  readonly fullName: string | null;
  readonly role: string | null;
  readonly relationship: PepRelationship | null;
}

/** Self-declared. It is read by people and never computed with, so its numbers are stored as they were sent. */
export interface ClearFinancialProfile {
  readonly sector: Sector;
  readonly currency: ProfileCurrency;
  readonly monthlyIncome: number;
  readonly netWorth: number | null;
  readonly sourceOfFunds: readonly FundSource[] | null;
}

export interface ClearExternalWallet {
  readonly address: string;
  /** `self` when only an address was sent. */
  readonly custodyType: CustodyType;
  readonly custodyCountry: string | null;
  readonly custodianName: string | null;
  /** A text signed with the wallet's key (EIP-191, `0x` hex). */
  readonly proof: { readonly message: string; readonly signature: string } | null;
}

/** Common fields of the holder and the representative. */
export interface ClearPerson {
  readonly identifier: ClearIdentifier;
  readonly taxResidence: string;
  readonly firstName: string;
  readonly lastName: string;
  /** YYYY-MM-DD. */
  readonly dateOfBirth: string;
  readonly address: ClearAddress;
  readonly document: DocumentFiles;
  readonly pep: ClearPep;
}

export interface ClearRepresentative extends ClearPerson {
  readonly powerOfAttorneyFileId: string;
}

export interface ClearLiveness {
  readonly id: string;
  readonly provider: string;
}

export interface ClearKycRequest extends ClearPerson {
  readonly rewardTier: RewardTier;
  readonly email: string;
  readonly phone: string;
  readonly motherFullName: string;
  readonly liveness: ClearLiveness;
  readonly financialProfile: ClearFinancialProfile;
  readonly representative: ClearRepresentative | null;
  readonly externalWallets: readonly ClearExternalWallet[];
  readonly externalId: string | null;
}

export interface ClearRelianceRequest {
  readonly identifier: ClearIdentifier;
  readonly taxDocumentType: TaxDocumentType;
  readonly taxResidence: string;
  /** The partner's own reference to the check it made. */
  readonly kycAttestationId: string;
  readonly rewardTier: RewardTier;
  readonly externalWallets: readonly ClearExternalWallet[];
  readonly externalId: string | null;
}

/** What a partner may send when information was requested. Null means "not sent"; at least one field is set. */
export interface ClearInformation {
  readonly address: ClearAddress | null;
  readonly document: DocumentFiles | null;
  readonly liveness: ClearLiveness | null;
  readonly representativeAddress: ClearAddress | null;
  readonly representativeDocument: DocumentFiles | null;
  readonly powerOfAttorneyFileId: string | null;
  /** Supporting documents, such as proof of income or of address. */
  readonly otherFileIds: readonly string[];
  readonly note: string | null;
}
