import type { BankBehaviour, BankState, PlannedFault } from '@ponte/contracts';
import { BANK_CALLBACKS, BANK_FAULTS, BANK_OPERATIONS, BANK_RETURNS, BANK_SETTLEMENTS } from '@ponte/contracts';
import { pick } from '@ponte/kernel';
import { decimal, flag, oneOf, text } from '../../validation/field-types';
import { EnvelopeOf } from '../../validation/envelopes';
import { exampleOf, Optional, OptionalObject, Required, RequiredObjects } from '../../validation/fields';

export class BankFaultDto {
  @Required(oneOf(BANK_OPERATIONS), 'The type of call that fails', 'put-charge')
  operation!: PlannedFault['operation'];

  @Required(
    oneOf(BANK_FAULTS),
    'unheard: the call times out and has no effect; done: the call takes effect but its response is lost; error: the bank refuses',
    'done',
  )
  fault!: PlannedFault['fault'];
}

/** Absent fields stay as they are. */
export class BankBehaviourDto {
  @Optional(
    oneOf(BANK_CALLBACKS),
    'How the bank sends notices of payments; held notices are sent after a change to prompt or repeated',
    'repeated',
  )
  callbacks?: BankBehaviour['callbacks'];

  @Optional(oneOf(BANK_RETURNS), 'How the bank handles returned money', 'processing')
  returns?: BankBehaviour['returns'];

  @Optional(oneOf(BANK_SETTLEMENTS), 'late: a one-time code is settled after its expiration', 'late')
  settlement?: BankBehaviour['settlement'];

  @OptionalObject(
    () => BankFaultDto,
    'The next call of this type fails once, after the faults that are already planned',
  )
  fault?: BankFaultDto;

  @Optional(flag, 'true: drops the faults that are already planned, before `fault` is planned')
  'clear-faults'?: boolean;

  @Optional(
    text(32, 32),
    'The endToEndId of a payment that the bank reverses (MED)',
    'E00000000202601311200abcdefghijk',
  )
  'take-back'?: string;
}

export class BankDto {
  @Required(oneOf(BANK_CALLBACKS), 'How the bank sends notices of payments', 'prompt')
  callbacks!: string;

  @Required(oneOf(BANK_RETURNS), 'How the bank handles returned money', 'prompt')
  returns!: string;

  @Required(oneOf(BANK_SETTLEMENTS), 'When a one-time code is settled', 'prompt')
  settlement!: string;

  @RequiredObjects(() => BankFaultDto, 'Planned faults, in order')
  faults!: BankFaultDto[];

  @Required(decimal, 'BRL received, by the books of the bank', '1250.00')
  received!: string;

  @Required(decimal, 'BRL returned, by the books of the bank', '40.00')
  returned!: string;
}

export class BankEnvelopeDto extends EnvelopeOf('bank', () => BankDto, 'The simulated bank') {}

export const BANK_BEHAVIOUR_EXAMPLE: BankBehaviourDto = {
  callbacks: 'repeated',
  fault: { operation: 'request-return', fault: 'done' },
};
export const BANK_EXAMPLE: BankEnvelopeDto = {
  bank: exampleOf(BankDto, { callbacks: 'repeated', faults: [{ operation: 'request-return', fault: 'done' }] }),
};

export const bankDto = (bank: BankState): BankEnvelopeDto => ({
  bank: {
    ...pick(bank, 'callbacks', 'returns', 'settlement'),
    faults: bank.faults.map(({ operation, fault }) => ({ operation, fault })),
    ...pick(bank, 'received', 'returned'),
  },
});
