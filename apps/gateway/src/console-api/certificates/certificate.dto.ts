import type { CertificateState } from '@ponte/contracts';
import { certificateMachine } from '@ponte/contracts';
import type { RewardTier } from '@ponte/kernel';
import { PageQuery } from '../../pagination/page-query';
import { address, amount, instant, oneOf, opaqueId, text, uuid } from '../../validation/field-types';
import { EnvelopeOf, ListOf } from '../../validation/envelopes';
import { exampleOf, Nullable, Optional, OptionalObject, Required } from '../../validation/fields';
import { rewardTier } from '../../validation/person-field-types';
import { ISSUED_CERTIFICATE_EXAMPLE, IssuedCertificateDto } from '../../api/certificates/certificate.dto';
import { NFT_TRANSFER_EXAMPLE, NftTransferDto, NftTransfersQuery } from '../../api/nft-transfers/nft-transfer.dto';
import { FailureDto } from '../../api/orders/order.dto';
import { SAMPLE } from '../../api/samples';

const STATUSES = Object.keys(certificateMachine);

export class StaffCertificateRequestDto {
  @Required(opaqueId(60), 'Your reference for this certificate. Each reference issues one certificate', 'REW-2026-0017')
  reference!: string;

  @Required(text(1, 100), 'A wallet of the account on eth-base', SAMPLE.wallet)
  'wallet-address'!: string;

  @Required(amount, 'Amount in BRLV', '100.00')
  amount!: string;

  @Optional(
    rewardTier,
    'The reward tier in percent. Default: the tier of the account. Required if the account has none',
    90,
  )
  'reward-tier'?: RewardTier;
}

export class StaffCertificateDto extends IssuedCertificateDto {
  @Required(uuid, 'The account that holds it, or held it last', SAMPLE.accountId)
  'account-id'!: string;

  @Required(text(1, 100), 'The staff member, the command line or the API key that issued it', SAMPLE.parentId)
  'issued-by'!: string;

  @Nullable(text(66, 66), 'The transaction that minted it. Null until it is minted', SAMPLE.txHash)
  'tx-hash'!: string | null;

  @Required(instant, 'When it reached this status', SAMPLE.time)
  'status-updated-at'!: string;

  @OptionalObject(() => FailureDto, 'Why the certificate was not minted')
  failure?: FailureDto;
}

export class StaffCertificateEnvelopeDto extends EnvelopeOf(
  'reward-certificate',
  () => StaffCertificateDto,
  'The certificate',
) {}

export class StaffCertificatesDto extends ListOf('reward-certificates', () => StaffCertificateDto, 'Newest first') {}

export class StaffCertificatesQuery extends PageQuery {
  @Optional(uuid, 'Only of this account', SAMPLE.accountId)
  'account-id'?: string;

  @Optional(oneOf(STATUSES), 'Only certificates with this status. Those that are `issued` wait to be minted', 'issued')
  status?: CertificateState;

  @Optional(address, 'Only certificates that this wallet holds or held last', SAMPLE.wallet)
  'wallet-address'?: string;
}

/** An NFT transfer as staff see it: with its account and the API key that requested it. */
export class StaffNftTransferDto extends NftTransferDto {
  @Required(uuid, 'The account that it belongs to', SAMPLE.accountId)
  'account-id'!: string;

  @Required(text(0, 60), 'The account of the API key that made the request', SAMPLE.parentId)
  'created-by'!: string;

  @Required(text(1, 60), 'The API key that made the request', SAMPLE.keyId)
  'created-by-api-key'!: string;
}

export class StaffNftTransferEnvelopeDto extends EnvelopeOf('transfer', () => StaffNftTransferDto, 'The transfer') {}

export class StaffNftTransfersDto extends ListOf('transfers', () => StaffNftTransferDto, 'Newest first') {}

export class StaffNftTransfersQuery extends NftTransfersQuery {
  @Optional(uuid, 'Only of this account', SAMPLE.accountId)
  'account-id'?: string;
}

export const STAFF_CERTIFICATE_REQUEST_EXAMPLE = exampleOf(StaffCertificateRequestDto, { 'reward-tier': 90 });
export const STAFF_CERTIFICATE_EXAMPLE = exampleOf(StaffCertificateDto, {
  ...ISSUED_CERTIFICATE_EXAMPLE,
  'tx-hash': null,
});
export const STAFF_NFT_TRANSFER_EXAMPLE = exampleOf(StaffNftTransferDto, NFT_TRANSFER_EXAMPLE);
