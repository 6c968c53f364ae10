import { ASSET_IDS } from '@ponte/kernel';
import type { AssetId } from '@ponte/kernel';
import { asset, instant, oneOf, text, uuid } from '../../validation/field-types';
import { EnvelopeOf, ListOf } from '../../validation/envelopes';
import { Optional, OptionalObject, Required } from '../../validation/fields';
import { DEPOSIT_EXAMPLE, DepositDto, DepositsQuery } from '../../api/deposits/deposit.dto';
import { SAMPLE } from '../../api/samples';
import { SetAsideDto } from './set-aside.dto';

/** A deposit as staff see it: with its account and asset, and with the sender masked. */
export class StaffDepositDto extends DepositDto {
  @Required(uuid, 'The account that it belongs to', SAMPLE.accountId)
  'account-id'!: string;

  @Required(asset, 'The asset that was received', 'fiat/brl')
  declare asset: string;

  @Optional(text(1, 60), 'Returned deposit: the id that Ponte gave the return', '5b0b1a53c0f44d8f9a57d3b1f2c6e8a9')
  'return-id'?: string;

  @Optional(
    text(1, 60),
    'Returned deposit: the id of the return in the payment system, if the bank gave it',
    'D1234567820260131120000000000001',
  )
  'bank-return-id'?: string;

  @Optional(instant, 'Returned deposit: when the bank executed the return')
  'returned-at'?: string;

  @OptionalObject(
    () => SetAsideDto,
    'Tokens of a closed account: the request to set them aside that waits for a second staff member',
  )
  'set-aside'?: SetAsideDto;
}

export class StaffDepositEnvelopeDto extends EnvelopeOf('deposit', () => StaffDepositDto, 'The deposit') {}

export class StaffDepositsDto extends ListOf('deposits', () => StaffDepositDto, 'Newest first') {}

export class StaffDepositsQuery extends DepositsQuery {
  @Optional(uuid, 'Only of this account', SAMPLE.accountId)
  'account-id'?: string;

  @Optional(oneOf(ASSET_IDS), 'Only of this asset', 'eth-base/usdc')
  asset?: AssetId;
}

export const STAFF_DEPOSIT_EXAMPLE: StaffDepositDto = {
  id: DEPOSIT_EXAMPLE.id,
  type: 'token',
  asset: 'eth-base/usdc',
  amount: '25.000000',
  status: 'confirmed',
  'status-updated-at': SAMPLE.time,
  coordinates: { 'source-chain': 'eth-base', 'source-address': SAMPLE.otherWallet, 'target-address': SAMPLE.wallet },
  'tx-hash': SAMPLE.txHash,
  'created-at': SAMPLE.time,
  'processed-at': null,
  'account-id': SAMPLE.accountId,
};
