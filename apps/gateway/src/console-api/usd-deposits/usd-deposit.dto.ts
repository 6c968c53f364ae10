import type { DepositStatus, ViewPurpose } from '@ponte/contracts';
import { depositMachine, VIEW_PURPOSES } from '@ponte/contracts';
import { PageQuery } from '../../pagination/page-query';
import { amount, oneOf, opaqueId, text, uuid } from '../../validation/field-types';
import { EnvelopeOf, ListOf } from '../../validation/envelopes';
import { exampleOf, Optional, OptionalNullable, Required, RequiredObject } from '../../validation/fields';
import { CoordinatesDto, DEPOSIT_EXAMPLE, DepositDto } from '../../api/deposits/deposit.dto';
import { SAMPLE } from '../../api/samples';

const sha256 = text(64, 64, /^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits in lower case');

export class UsdDepositRequestDto {
  @Required(uuid, 'The account that is credited', SAMPLE.accountId)
  'account-id'!: string;

  @Required(amount, 'USD that arrived', '2500.00')
  amount!: string;

  @Required(opaqueId(60), "The bank's reference of the payment. Each reference is one deposit", 'SWIFT-FT2603100017')
  'bank-reference'!: string;

  @Required(sha256, 'The SHA-256 hash of the document that proves the payment, in lower-case hex', '4f'.repeat(32))
  'document-sha-256'!: string;

  @OptionalNullable(text(1, 200), 'The source of the payment', 'Example Bank, New York')
  source?: string | null;

  @OptionalNullable(text(1, 200), 'The account that received the payment', 'Ponte USD account')
  target?: string | null;
}

/** A USD deposit as staff see it: with its account and evidence. */
export class StaffUsdDepositDto extends DepositDto {
  @Required(uuid, 'The account that is credited', SAMPLE.accountId)
  'account-id'!: string;

  @Required(text(1, 60), 'The staff member who recorded it', SAMPLE.parentId)
  'recorded-by'!: string;

  @Required(sha256, 'The SHA-256 hash of the document that proves the payment')
  'document-sha-256'!: string;

  @RequiredObject(() => CoordinatesDto, 'Source and target, masked unless the view of them is recorded')
  declare coordinates: CoordinatesDto;
}

export class StaffUsdDepositEnvelopeDto extends EnvelopeOf('deposit', () => StaffUsdDepositDto, 'The deposit') {}

export class StaffUsdDepositsDto extends ListOf('deposits', () => StaffUsdDepositDto, 'Newest first') {}

export class StaffUsdDepositsQuery extends PageQuery {
  @Optional(
    oneOf(Object.keys(depositMachine)),
    'Only deposits with this status. Those that are `created` wait for another staff member',
    'created',
  )
  status?: DepositStatus;
}

export class StaffUsdDepositQuery {
  @Required(
    oneOf(VIEW_PURPOSES),
    'Why you view the source and the target. They are then shown, and the view is recorded',
    'review',
  )
  purpose!: ViewPurpose;
}

export const USD_DEPOSIT_REQUEST_EXAMPLE = exampleOf(UsdDepositRequestDto, {
  source: 'Example Bank, New York',
  target: null,
});
export const STAFF_USD_DEPOSIT_EXAMPLE: StaffUsdDepositDto = {
  ...DEPOSIT_EXAMPLE,
  type: 'manual-fx',
  amount: '2500.00',
  status: 'created',
  coordinates: { source: 'Example Bank, New York', target: null },
  'end-to-end-id': 'SWIFT-FT2603100017',
  'processed-at': null,
  'account-id': SAMPLE.accountId,
  'recorded-by': SAMPLE.parentId,
  'document-sha-256': '4f'.repeat(32),
};
