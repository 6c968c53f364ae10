import type { TransferState } from '@ponte/contracts';
import { transferMachine } from '@ponte/contracts';
import { PageQuery } from '../../pagination/page-query';
import { address, instant, oneOf, uuid } from '../../validation/field-types';
import { EnvelopeOf, ListOf } from '../../validation/envelopes';
import { exampleOf, Nullable, Optional, OptionalNullable, OptionalObject, Required } from '../../validation/members';
import { FailureDto } from '../orders/order.dto';
import { SAMPLE } from '../samples';
import { addressText, externalId, txHash } from '../transfers/transfer.dto';

const STATES = Object.keys(transferMachine);

export class CreateNftTransferDto {
  @Required(addressText, 'The wallet of the account that holds the certificate', SAMPLE.wallet)
  'source-address'!: string;

  @Required(addressText, 'Any EVM address; a mixed-case one must keep its EIP-55 checksum', SAMPLE.otherWallet)
  'target-address'!: string;

  @Required(uuid, 'The certificate', SAMPLE.certificateId)
  'reward-certificate-id'!: string;

  @OptionalNullable(externalId, 'Your own id, unique per account', 'gift-17')
  'external-id'?: string | null;
}

export class NftTransferDto {
  @Required(uuid, 'The transfer', SAMPLE.nftTransferId)
  id!: string;

  @Required(uuid, 'What is moved', SAMPLE.certificateId)
  'reward-certificate-id'!: string;

  @Required(address, 'The wallet that gives', SAMPLE.wallet)
  'source-address'!: string;

  @Required(address, 'The address that gets', SAMPLE.otherWallet)
  'target-address'!: string;

  @Nullable(txHash, 'The transaction on the chain, null until it is sent', SAMPLE.txHash)
  'tx-hash'!: string | null;

  @Required(oneOf(STATES), 'See GET /api/v1/state-machines', 'completed')
  state!: string;

  @Required(instant, 'When it was created', SAMPLE.time)
  'created-at'!: string;

  @Required(instant, 'Since when it is in this state', SAMPLE.time)
  'state-updated-at'!: string;

  @Optional(externalId, 'As sent')
  'external-id'?: string;

  @OptionalObject(() => FailureDto, 'Of a failed transfer: why')
  failure?: FailureDto;
}

export class NftTransferEnvelopeDto extends EnvelopeOf('transfer', () => NftTransferDto, 'The transfer') {}

export class NftTransfersDto extends ListOf('transfers', () => NftTransferDto, 'Newest first') {}

export class NftTransfersQuery extends PageQuery {
  @Optional(address, 'From this address', SAMPLE.wallet)
  'source-address'?: string;

  @Optional(address, 'To this address', SAMPLE.otherWallet)
  'target-address'?: string;

  @Optional(uuid, 'Of this certificate', SAMPLE.certificateId)
  'reward-certificate-id'?: string;

  @Optional(oneOf(STATES), 'In this state')
  state?: TransferState;

  @Optional(txHash, 'With this transaction', SAMPLE.txHash)
  'tx-hash'?: string;

  @Optional(externalId, 'With this id of yours')
  'external-id'?: string;
}

export const NFT_TRANSFER_EXAMPLE = exampleOf(NftTransferDto, {
  'tx-hash': null,
  state: 'created',
  'external-id': 'gift-17',
});
