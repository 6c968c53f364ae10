import { requestsOf } from '@ponte/event-sourcing';
import type { RewardTier } from '@ponte/kernel';
import type { DecimalText, Failure, Page, PageRequest, Timestamp } from '../shared';
import type { CertificateState } from '../state-machines';
import type { AnyTransferFilters, AnyTransferRecord, CreateAnyTransferPayload } from './transfer.messages';

const { command, query } = requestsOf('movements');

/** A reward certificate as seen by an account that has or had it. */
export interface CertificateRecord {
  readonly id: string;
  readonly accountId: string;
  /** The account's wallet that holds it or held it last, in lower case. */
  readonly walletAddress: string;
  /** BRLV. */
  readonly amount: DecimalText;
  /** Percent. */
  readonly rewardTier: RewardTier;
  /** `transferred` for an account that no longer has it. */
  readonly status: CertificateState;
  readonly statusUpdatedAt: Timestamp;
  readonly createdAt: Timestamp;
  /** Hash of the mint; null until the token exists. */
  readonly txHash: string | null;
  /** Set when the certificate failed. */
  readonly failure: Failure | null;
  readonly issuedBy: string;
}

/** The states by which a partner may filter: certificates are listed from their mint on. */
export const LISTED_CERTIFICATE_STATES = [
  'active',
  'transferring',
  'transferred',
] as const satisfies readonly CertificateState[];

export interface CertificateFilters {
  readonly status: CertificateState | null;
  /** Lower-case. */
  readonly walletAddress: string | null;
}

export interface IssueCertificatePayload {
  /**
   * Derived from the scope of an idempotency key or from the operator's reference, so that a repetition is recognized.
   */
  readonly certificateId: string;
  readonly accountId: string;
  /** A wallet of the account on eth-base. */
  readonly walletAddress: string;
  /** BRLV, more than zero. */
  readonly amount: DecimalText;
  /** Null for the account's own tier. */
  readonly rewardTier: RewardTier | null;
  /** The tier for an account without its own; null refuses such an account. */
  readonly otherwiseTier: RewardTier | null;
  readonly issuedBy: string;
}

export interface NftTransferRecord extends AnyTransferRecord {
  readonly certificateId: string;
  readonly createdBy: string;
  readonly createdByApiKey: string;
}

export interface CreateNftTransferPayload extends CreateAnyTransferPayload {
  readonly certificateId: string;
}

export interface NftTransferFilters extends AnyTransferFilters {
  readonly certificateId: string | null;
}

/**
 * Issues a certificate to a wallet of an account; its token is minted afterwards. Refuses account-not-found,
 * account-not-active, wallet-not-allowed, invalid-address, bad-address-checksum, amount-scale-exceeded,
 * amount-below-minimum, asset-not-supported if eth-base has no contract for certificates, missing-field without a tier,
 * and idempotency-key-reused for the same id with different terms.
 */
export const IssueCertificate = command<IssueCertificatePayload, CertificateRecord>(
  'issue-certificate',
  'certificateId',
);
/** The certificates that an account has or had, newest first. */
export const ListCertificates = query<
  { accountId: string; filters: CertificateFilters; page: PageRequest },
  Page<CertificateRecord>
>('list-certificates', 'accountId');
/** For staff: each certificate once, with the account that has it or had it last; of all accounts or of one. */
export const ListAllCertificates = query<
  { accountId: string | null; filters: CertificateFilters; page: PageRequest },
  Page<CertificateRecord>
>('list-all-certificates');
/** For staff. Null when the certificate does not exist. */
export const GetAnyCertificate = query<{ certificateId: string }, CertificateRecord | null>(
  'get-any-certificate',
  'certificateId',
);

/** Returns the transfer as it was created. A repeated request, however late, gets the reply from its stream. */
export const CreateNftTransfer = command<CreateNftTransferPayload, NftTransferRecord>(
  'create-nft-transfer',
  'transferId',
);
/** Null when the transfer does not exist or is not the account's. */
export const GetNftTransfer = query<{ accountId: string; transferId: string }, NftTransferRecord | null>(
  'get-nft-transfer',
  'accountId',
);
export const ListNftTransfers = query<
  { accountId: string; filters: NftTransferFilters; page: PageRequest },
  Page<NftTransferRecord>
>('list-nft-transfers', 'accountId');
/** For staff: NFT transfers of all accounts or of one. */
export const ListAllNftTransfers = query<
  { accountId: string | null; filters: NftTransferFilters; page: PageRequest },
  Page<NftTransferRecord>
>('list-all-nft-transfers');
/** For staff. Null when the transfer does not exist. */
export const GetAnyNftTransfer = query<{ transferId: string }, NftTransferRecord | null>(
  'get-any-nft-transfer',
  'transferId',
);
