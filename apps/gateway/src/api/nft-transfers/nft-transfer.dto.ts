import type { TransferState } from '@ponte/contracts';
import { transferMachine } from '@ponte/contracts';
import { PageQuery } from '../../pagination/page-query';
import { address, oneOf, uuid } from '../../validation/field-types';
import { EnvelopeOf, ListOf } from '../../validation/envelopes';
import { exampleOf, Optional, OptionalNullable, Required } from '../../validation/fields';
import { SAMPLE } from '../samples';
import { addressText, externalId, transferOf, txHash } from '../transfers/transfer.dto';

const STATES = Object.keys(transferMachine);

export class CreateNftTransferDto {
  @Required(addressText, 'The wallet of the account that holds the certificate', SAMPLE.wallet)
  'source-address'!: string;

  @Required(addressText, 'Any EVM address; in mixed case its EIP-55 checksum must be correct', SAMPLE.otherWallet)
  'target-address'!: string;

  @Required(uuid, 'Id of the certificate', SAMPLE.certificateId)
  'reward-certificate-id'!: string;

  @OptionalNullable(externalId, 'Your own id, unique among the NFT transfers of the account', 'gift-17')
  'external-id'?: string | null;
}

class NftTransferTermsDto {
  @Required(uuid, 'Id of the transfer', SAMPLE.nftTransferId)
  id!: string;

  @Required(uuid, 'The certificate that is transferred', SAMPLE.certificateId)
  'reward-certificate-id'!: string;
}

export class NftTransferDto extends transferOf(NftTransferTermsDto) {}

export class NftTransferEnvelopeDto extends EnvelopeOf('transfer', () => NftTransferDto, 'The transfer') {}

export class NftTransfersDto extends ListOf('transfers', () => NftTransferDto, 'Newest first') {}

export class NftTransfersQuery extends PageQuery {
  @Optional(address, 'Only from this address', SAMPLE.wallet)
  'source-address'?: string;

  @Optional(address, 'Only to this address', SAMPLE.otherWallet)
  'target-address'?: string;

  @Optional(uuid, 'Only of this certificate', SAMPLE.certificateId)
  'reward-certificate-id'?: string;

  @Optional(oneOf(STATES), 'Only in this state')
  state?: TransferState;

  @Optional(txHash, 'Only with this transaction', SAMPLE.txHash)
  'tx-hash'?: string;

  @Optional(externalId, 'Only the one with this external id')
  'external-id'?: string;
}

export const NFT_TRANSFER_EXAMPLE = exampleOf(NftTransferDto, {
  'tx-hash': null,
  state: 'created',
  'external-id': 'gift-17',
});
