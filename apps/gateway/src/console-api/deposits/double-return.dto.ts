import { instant, text } from '../../validation/field-types';
import { ListOf } from '../../validation/envelopes';
import { exampleOf, Nullable, Required } from '../../validation/fields';
import { PageQuery } from '../../pagination/page-query';
import { SAMPLE } from '../../api/samples';
import { ReceivedPaymentDto } from './received-payment.dto';

/** A payment whose money left our bank twice. It contains no personal data. */
export class DoubleReturnDto extends ReceivedPaymentDto {
  @Required(text(1, 60), 'Why the payment was paid back', 'payer-tax-id-mismatch')
  reason!: string;

  @Nullable(
    text(1, 60),
    'The id that Ponte gave the return. Null if staff had sent the money back',
    '5b0b1a53c0f44d8f9a57d3b1f2c6e8a9',
  )
  'return-id'!: string | null;

  @Nullable(
    text(1, 60),
    'The id of that return in the payment system. Null if the bank did not give it',
    'D1234567820260131120000000000001',
  )
  'bank-return-id'!: string | null;

  @Nullable(
    text(1, 60),
    "The bank's reference of the payment with which staff had sent the money back. Null if the bank returned it",
  )
  'bank-reference'!: string | null;

  @Required(instant, 'When the loss was posted', SAMPLE.time)
  'posted-at'!: string;
}

export class DoubleReturnsDto extends ListOf('double-returns', () => DoubleReturnDto, 'Newest first') {}

export class DoubleReturnsQuery extends PageQuery {}

export const DOUBLE_RETURN_EXAMPLE: DoubleReturnDto = exampleOf(DoubleReturnDto, { 'bank-reference': null });
