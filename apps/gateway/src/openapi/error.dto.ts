import { MOST_DETAILS } from '../errors/describe';
import { oneOf, text, uuid } from '../validation/field-types';
import { EnvelopeOf } from '../validation/envelopes';
import { Optional, OptionalObjects, Required } from '../validation/fields';

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

export class ViolationDto {
  @Required(
    text(0, 300),
    'The part of the request that is wrong: a field of the body with dots and `list[0]` for an element; a query ' +
      'parameter (`limit`); a path parameter (`id`: the state of that resource does not allow the operation); a ' +
      'header (`Idempotency-Key`); empty for the whole request',
    'source-amount',
  )
  path!: string;

  @Required(text(1, 100), 'Error code, see GET /api/v1/errors', 'amount-must-be-string')
  code!: string;

  @Required(text(1, 1000), 'Explanation in English')
  message!: string;

  @Optional(uuid, 'With `quote-already-accepted`: the order, when you may see it')
  'order-id'?: string;
}

export class ErrorBodyDto {
  @Required(oneOf(TYPES), 'Class of the error, which tells a client how to react')
  type!: string;

  @Required(text(1, 1000), 'Explanation in English')
  message!: string;

  @Required(text(1, 100), 'Error code, see GET /api/v1/errors')
  code!: string;

  @OptionalObjects(
    () => ViolationDto,
    `On 400 and 422: the violations, in the order of the rules. If there are more than ${MOST_DETAILS}, the first ones; ` +
      '`message` then says how many there are',
    { max: MOST_DETAILS },
  )
  details?: ViolationDto[];
}

/** The format of every error response. */
export class ErrorDto extends EnvelopeOf('error', () => ErrorBodyDto, 'What went wrong') {}
