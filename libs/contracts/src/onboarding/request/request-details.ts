import type { Sealed } from '@ponte/event-sourcing';
import type { CustodyType, DocumentFiles, TaxDocumentType } from './request-form';

/** The request that an event is about. */
export interface RequestIdentity {
  requestId: string;
  accountId: string;
  parentId: string;
}

/** Personal data of one person, each field sealed under `subjectId`. */
export interface SealedPerson {
  /** Sealing subject: `derivedId('person', identifierFingerprint)`. */
  readonly subjectId: string;
  readonly identifierFingerprint: string;
  /** ISO 3166-1 alpha-3. */
  readonly country: string;
  readonly identifier: Sealed;
  /** The identifier with only its middle visible, as shown to partners. */
  readonly maskedIdentifier: Sealed;
  readonly taxResidence: string;
}

/** Additional data of a person in kyc mode. `address` and `pep` are JSON of `ClearAddress` and `ClearPep`. */
export interface SealedKycPerson extends SealedPerson {
  readonly firstName: Sealed;
  readonly lastName: Sealed;
  readonly dateOfBirth: Sealed;
  readonly address: Sealed;
  readonly pep: Sealed;
  readonly document: DocumentFiles;
}

export interface SealedRepresentative extends SealedKycPerson {
  readonly powerOfAttorneyFileId: string;
}

/** A session at a liveness provider. Callbacks of the provider are matched to requests by `fingerprint`. */
export interface LivenessSession {
  readonly provider: string;
  readonly id: Sealed;
  readonly fingerprint: string;
}

export interface SealedExternalWallet {
  /** Lower-case. */
  readonly address: string;
  readonly custodyType: CustodyType;
  readonly custodyCountry: string | null;
  readonly custodianName: Sealed | null;
  /** The message that was sent with a valid signature of the wallet's key; null without a signature. */
  readonly signedMessage: Sealed | null;
}

export type RequestDetails =
  | {
      readonly mode: 'kyc';
      readonly holder: SealedKycPerson;
      readonly email: Sealed;
      readonly phone: Sealed;
      readonly motherFullName: Sealed;
      /** JSON of `ClearFinancialProfile`. */
      readonly financialProfile: Sealed;
      readonly liveness: LivenessSession;
      readonly representative: SealedRepresentative | null;
    }
  | {
      readonly mode: 'reliance';
      readonly holder: SealedPerson;
      readonly taxDocumentType: TaxDocumentType;
      readonly kycAttestationId: Sealed;
    };
