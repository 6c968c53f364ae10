import { ASSET_IDS } from '@ponte/kernel';
import type { AssetId } from '@ponte/kernel';
import { asset, oneOf, uuid } from '../../validation/field-types';
import { EnvelopeOf, ListOf } from '../../validation/envelopes';
import { Optional, Required } from '../../validation/members';
import { DEPOSIT_EXAMPLE, DepositDto, DepositsQuery } from '../../api/deposits/deposit.dto';
import { SAMPLE } from '../../api/samples';

/** A deposit as staff see it: with its account and asset, and with the sender masked. */
export class StaffDepositDto extends DepositDto {
  @Required(uuid, 'The account that it belongs to', SAMPLE.accountId)
  'account-id'!: string;

  @Required(asset, 'The asset that was received', 'fiat/brl')
  declare asset: string;
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
