import type { CertificateRecord, IssueCertificatePayload, NftTransferRecord } from '@ponte/contracts';
import { derivedId, toWire, toWireIfSet } from '@ponte/kernel';
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
  ...toWire(record, 'accountId', 'issuedBy', 'txHash', 'statusUpdatedAt'),
  ...toWireIfSet(record, 'failure'),
});

export const staffNftTransferDto = (record: NftTransferRecord): StaffNftTransferDto => ({
  ...nftTransferDto(record),
  ...toWire(record, 'accountId', 'createdBy', 'createdByApiKey'),
});
