import type { CertificateRecord, IssueCertificatePayload, NftTransferRecord } from '@ponte/contracts';
import { derivedId } from '@ponte/kernel';
import { certificateDto } from '../../api/certificates/certificate.mapper';
import { nftTransferDto } from '../../api/nft-transfers/nft-transfer.mapper';
import type { StaffCertificateDto, StaffCertificateRequestDto, StaffNftTransferDto } from './certificate.dto';

/** The id derives from the reference, so a repeated issue results in the same certificate. */
export const issuePayload = (
  accountId: string,
  body: StaffCertificateRequestDto,
  issuedBy: string,
): IssueCertificatePayload => ({
  certificateId: derivedId('reward-certificate', 'reference', body.reference),
  accountId,
  walletAddress: body['wallet-address'],
  amount: body.amount,
  rewardTier: body['reward-tier'] ?? null,
  otherwiseTier: null,
  issuedBy,
});

export const staffCertificateDto = (record: CertificateRecord): StaffCertificateDto => ({
  ...certificateDto(record),
  'account-id': record.accountId,
  'issued-by': record.issuedBy,
  'tx-hash': record.txHash,
  'status-updated-at': record.statusUpdatedAt,
  ...(record.failure === null ? {} : { failure: record.failure }),
});

export const staffNftTransferDto = (record: NftTransferRecord): StaffNftTransferDto => ({
  ...nftTransferDto(record),
  'account-id': record.accountId,
  'created-by': record.createdBy,
  'created-by-api-key': record.createdByApiKey,
});
