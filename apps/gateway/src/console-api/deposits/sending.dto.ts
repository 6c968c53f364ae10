import { SAMPLE } from '../../api/samples';
import { address, opaqueId, text } from '../../validation/field-types';
import { exampleOf, Nullable, Required } from '../../validation/fields';
import { ProposalOf } from './proposal.dto';

export class SendingRequestDto {
  @Required(address, 'The address on the chain of the tokens that receives them', SAMPLE.otherWallet)
  'destination-address'!: string;

  @Required(
    opaqueId(60),
    'Names the document that says why the tokens go there, such as a ticket. Not personal data: it is never erased',
    'TICKET-4711',
  )
  reference!: string;
}

/** Where tokens in suspense are sent. */
export class SendingDto extends ProposalOf(SendingRequestDto) {
  @Nullable(text(66, 66), 'The transaction that sent the tokens. Null until then', SAMPLE.txHash)
  'tx-hash'!: string | null;
}

/** Why the last proposal that was confirmed moved nothing. */
export class SendingFailureDto {
  @Required(text(1, 60), 'The reason in one word', 'reverted')
  code!: string;

  @Required(text(1, 500), 'The reason in a sentence', 'The transaction was reverted on the chain. Nothing was moved.')
  message!: string;
}

export const SENDING_REQUEST_EXAMPLE = exampleOf(SendingRequestDto);
