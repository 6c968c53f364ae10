import { uuid } from '../../validation/field-types';
import { EnvelopeOf, ListOf } from '../../validation/envelopes';
import { exampleOf, Optional, Required } from '../../validation/fields';
import { SAMPLE } from '../../api/samples';
import { TRANSFER_EXAMPLE, TransferDto, TransfersQuery } from '../../api/transfers/transfer.dto';

/** A token transfer as staff see it: with its account. */
export class StaffTransferDto extends TransferDto {
  @Required(uuid, 'The account that it belongs to', SAMPLE.accountId)
  'account-id'!: string;
}

export class StaffTransferEnvelopeDto extends EnvelopeOf('transfer', () => StaffTransferDto, 'The transfer') {}

export class StaffTransfersDto extends ListOf('transfers', () => StaffTransferDto, 'Newest first') {}

export class StaffTransfersQuery extends TransfersQuery {
  @Optional(uuid, 'Only of this account', SAMPLE.accountId)
  'account-id'?: string;
}

export const STAFF_TRANSFER_EXAMPLE = exampleOf(StaffTransferDto, TRANSFER_EXAMPLE);
