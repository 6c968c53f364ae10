import type { TransferState } from '@ponte/contracts';
import { transferMachine } from '@ponte/contracts';
import type { AssetId } from '@ponte/kernel';
import { PageQuery } from '../../pagination/page-query';
import { address, amount, asset, decimal, instant, oneOf, opaqueId, text, uuid } from '../../validation/field-types';
import { EnvelopeOf, ListOf } from '../../validation/envelopes';
import type { Shape } from '../../validation/fields';
import { exampleOf, Nullable, Optional, OptionalNullable, OptionalObject, Required } from '../../validation/fields';
import { FailureDto } from '../orders/order.dto';
import { SAMPLE } from '../samples';

const STATES = Object.keys(transferMachine);
export const externalId = opaqueId(100);
/** Accepts any short text: a malformed address or a wrong checksum is refused later, with 422. */
export const addressText = text(1, 100);
export const txHash = text(66, 66, /^0x[0-9a-fA-F]{64}$/, 'must be 0x and 64 hexadecimal digits');

export class CreateTransferDto {
  @Required(addressText, 'A wallet of the account, on the chain of the asset', SAMPLE.wallet)
  'source-address'!: string;

  @Required(asset, 'eth-base/brlv or eth-base/wbrly', 'eth-base/brlv')
  asset!: AssetId;

  @Required(amount, 'Amount, with at most the decimal places of the asset', '25.00')
  amount!: string;

  @Required(addressText, 'Any EVM address; in mixed case its EIP-55 checksum must be correct', SAMPLE.otherWallet)
  'target-address'!: string;

  @OptionalNullable(externalId, 'Your own id, unique among the token transfers of the account', 'payout-17')
  'external-id'?: string | null;
}

class TransferTermsDto {
  @Required(uuid, 'Id of the transfer', SAMPLE.transferId)
  id!: string;

  @Required(asset, 'Asset that is transferred', 'eth-base/brlv')
  asset!: string;

  @Required(decimal, 'Amount, with the decimal places of the asset', '25.000000000000000000')
  amount!: string;
}

/** Returns a class with the given fields, followed by those of every transfer: addresses and progress. */
export function transferOf<T extends object>(terms: Shape<T>) {
  class Transfer extends (terms as Shape) {
    @Required(address, 'The wallet that pays', SAMPLE.wallet)
    'source-address'!: string;

    @Required(address, 'The address that receives', SAMPLE.otherWallet)
    'target-address'!: string;

    @Nullable(txHash, 'The transaction on the chain, null until it is sent', SAMPLE.txHash)
    'tx-hash'!: string | null;

    @Required(oneOf(STATES), 'See GET /api/v1/state-machines', 'completed')
    state!: string;

    @Required(instant, 'When it was created', SAMPLE.time)
    'created-at'!: string;

    @Required(instant, 'When it reached this state', SAMPLE.time)
    'state-updated-at'!: string;

    @Optional(externalId, 'Your own id, as sent')
    'external-id'?: string;

    @OptionalObject(() => FailureDto, 'Why the transfer failed')
    failure?: FailureDto;
  }
  return Transfer as Shape<T & Transfer>;
}

export class TransferDto extends transferOf(TransferTermsDto) {}

export class TransferEnvelopeDto extends EnvelopeOf('transfer', () => TransferDto, 'The transfer') {}

export class TransfersDto extends ListOf('transfers', () => TransferDto, 'Newest first') {}

export class TransfersQuery extends PageQuery {
  @Optional(address, 'Only from this address', SAMPLE.wallet)
  'source-address'?: string;

  @Optional(address, 'Only to this address', SAMPLE.otherWallet)
  'target-address'?: string;

  @Optional(asset, 'Only of this asset')
  asset?: AssetId;

  @Optional(oneOf(STATES), 'Only in this state')
  state?: TransferState;

  @Optional(txHash, 'Only with this transaction', SAMPLE.txHash)
  'tx-hash'?: string;

  @Optional(externalId, 'Only the one with this external id')
  'external-id'?: string;
}

export const TRANSFER_EXAMPLE = exampleOf(TransferDto, {
  'tx-hash': null,
  state: 'created',
  'external-id': 'payout-17',
});
