import type { BankBehaviour, BankState, PlannedFault } from '@ponte/contracts';
import { BANK_CALLBACKS, BANK_FAULTS, BANK_OPERATIONS, BANK_RETURNS, BANK_SETTLEMENTS } from '@ponte/contracts';
import { decimal, oneOf, text } from '../../validation/field-types';
import { EnvelopeOf } from '../../validation/envelopes';
import { exampleOf, Optional, OptionalObject, Required, RequiredObjects } from '../../validation/members';

export class BankFaultDto {
  @Required(oneOf(BANK_OPERATIONS), 'What the bank is asked when it fails', 'put-charge')
  operation!: PlannedFault['operation'];

  @Required(
    oneOf(BANK_FAULTS),
    'unheard: it times out and is never done; done: it is done and its answer is lost; error: the bank says no',
    'done',
  )
  fault!: PlannedFault['fault'];
}

/** What is left out stays as it is. */
export class BankBehaviourDto {
  @Optional(
    oneOf(BANK_CALLBACKS),
    'What becomes of the word of a payment; held ones go out with prompt or repeated',
    'repeated',
  )
  callbacks?: BankBehaviour['callbacks'];

  @Optional(oneOf(BANK_RETURNS), 'What becomes of money that is sent back', 'processing')
  returns?: BankBehaviour['returns'];

  @Optional(oneOf(BANK_SETTLEMENTS), 'late: a one-time code is settled after its expiration', 'late')
  settlement?: BankBehaviour['settlement'];

  @OptionalObject(() => BankFaultDto, 'The next call of this kind fails, once; behind those that are planned')
  fault?: BankFaultDto;

  @Optional(
    text(32, 32),
    'The endToEndId of a payment that the bank takes back (MED)',
    'E00000000202601311200abcdefghijk',
  )
  'take-back'?: string;
}

export class BankDto {
  @Required(oneOf(BANK_CALLBACKS), 'What becomes of the word of a payment', 'prompt')
  callbacks!: string;

  @Required(oneOf(BANK_RETURNS), 'What becomes of money that is sent back', 'prompt')
  returns!: string;

  @Required(oneOf(BANK_SETTLEMENTS), 'When a one-time code is settled', 'prompt')
  settlement!: string;

  @RequiredObjects(() => BankFaultDto, 'Faults still to come, in their order')
  faults!: BankFaultDto[];

  @Required(decimal, 'BRL that came in, by the books of the bank', '1250.00')
  received!: string;

  @Required(decimal, 'BRL that went back, by the books of the bank', '40.00')
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

export const bankDto = ({
  callbacks,
  returns,
  settlement,
  faults,
  received,
  returned,
}: BankState): BankEnvelopeDto => ({
  bank: {
    callbacks,
    returns,
    settlement,
    faults: faults.map(({ operation, fault }) => ({ operation, fault })),
    received,
    returned,
  },
});
