import { uuid } from '../../validation/field-types';
import { Optional, Required, RequiredObject, RequiredObjects } from '../../validation/members';
import { SAMPLE } from '../../api/samples';
import { TRANSFER_EXAMPLE, TransferDto, TransfersQuery } from '../../api/transfers/transfer.dto';

/** A token transfer as staff see it: with the account whose it is. */
export class StaffTransferDto extends TransferDto {
  @Required(uuid, 'Whose it is', SAMPLE.accountId)
  'account-id'!: string;
}

export class StaffTransferEnvelopeDto {
  @RequiredObject(() => StaffTransferDto, 'The transfer')
  transfer!: StaffTransferDto;
}

export class StaffTransfersDto {
  @RequiredObjects(() => StaffTransferDto, 'Newest first')
  transfers!: StaffTransferDto[];
}

export class StaffTransfersQuery extends TransfersQuery {
  @Optional(uuid, 'Of this account', SAMPLE.accountId)
  'account-id'?: string;
}

export const STAFF_TRANSFER_EXAMPLE: StaffTransferDto = { ...TRANSFER_EXAMPLE, 'account-id': SAMPLE.accountId };
