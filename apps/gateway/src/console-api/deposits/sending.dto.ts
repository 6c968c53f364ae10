import { SAMPLE } from '../../api/samples';
import { address, instant, text, whole } from '../../validation/field-types';
import { exampleOf, Nullable, Required } from '../../validation/members';

export class SendingRequestDto {
  @Required(address, 'The address on the chain of the tokens that receives them', SAMPLE.otherWallet)
  'destination-address'!: string;

  @Required(
    text(1, 60, /^[!-~]+$/, 'must have only printable ASCII characters, without spaces'),
    'Names the document that says why the tokens go there, such as a ticket. Not personal data: it is never erased',
    'TICKET-4711',
  )
  reference!: string;
}

/** Where tokens in suspense are sent. */
export class SendingDto extends SendingRequestDto {
  @Required(whole, 'Counts the proposals for the deposit, from 1', 1)
  proposal!: number;

  @Required(text(1, 60), 'The staff member who proposed it', SAMPLE.parentId)
  'proposed-by'!: string;

  @Required(instant, 'When it was proposed', SAMPLE.time)
  'proposed-at'!: string;

  @Nullable(text(1, 60), 'The staff member who confirmed it. Null while it waits', SAMPLE.accountId)
  'confirmed-by'!: string | null;

  @Nullable(text(66, 66), 'The transaction that sent the tokens. Null before', SAMPLE.txHash)
  'tx-hash'!: string | null;
}

/** Why the last proposal that was confirmed moved nothing. */
export class SendingFailureDto {
  @Required(text(1, 60), 'The reason in one word', 'reverted')
  code!: string;

  @Required(text(1, 500), 'The reason in a sentence', 'The chain refused the movement. Nothing was moved.')
  message!: string;
}

export const SENDING_REQUEST_EXAMPLE = exampleOf(SendingRequestDto);
