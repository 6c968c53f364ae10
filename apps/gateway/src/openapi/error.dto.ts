import { oneOf, text, uuid } from '../validation/field-types';
import { EnvelopeOf } from '../validation/envelopes';
import { Optional, OptionalObjects, Required } from '../validation/members';

const TYPES = [
  'invalid-request',
  'authentication',
  'permission',
  'not-found',
  'idempotency',
  'validation',
  'gone',
  'rate-limit',
  'service',
];

/** One fault of a request. */
export class ViolationDto {
  @Required(
    text(0, 300),
    'What is at fault, by its name in the request: a member of the body, dotted, `list[0]` for an element; a parameter of the query (`limit`) or of the path (`id`: the state of that resource forbids it); a header (`Idempotency-Key`); empty for the whole request',
    'source-amount',
  )
  path!: string;

  @Required(text(1, 100), 'A code of the catalogue', 'amount-must-be-string')
  code!: string;

  @Required(text(1, 1000), 'For people')
  message!: string;

  @Optional(uuid, 'With `quote-already-accepted`: the order, when you may see it')
  'order-id'?: string;
}

export class ErrorBodyDto {
  @Required(oneOf(TYPES), 'What a client has to do about it')
  type!: string;

  @Required(text(1, 1000), 'For people')
  message!: string;

  @Required(text(1, 100), 'A code of the catalogue, see GET /api/v1/errors')
  code!: string;

  @OptionalObjects(() => ViolationDto, 'On 400 and 422: every fault at once, in the order of the rules')
  details?: ViolationDto[];
}

/** The one form of every error. */
export class ErrorDto extends EnvelopeOf('error', () => ErrorBodyDto, 'What went wrong') {}
