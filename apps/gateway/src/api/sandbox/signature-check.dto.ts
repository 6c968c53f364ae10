import type { SignatureCheck } from '@ponte/contracts';
import { oneOf, text, uuid } from '../../validation/field-types';
import { EnvelopeOf } from '../../validation/envelopes';
import { exampleOf, Optional, OptionalObject, Required, RequiredObjects } from '../../validation/fields';
import { exactlyOneOf, Together } from '../../validation/together';
import { SAMPLE } from '../samples';

const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];
const BODY = text(0, 40_000);

export class JwtCheckDto {
  @Required(
    text(1, 8_192),
    'The token as you send it, without `Bearer`',
    'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJha190ZXN0XzEifQ.c2ln',
  )
  token!: string;

  @Required(text(1, 100), 'The `X-API-Key` that you send with it: a sandbox key of your account', SAMPLE.keyId)
  'api-key'!: string;

  @Required(oneOf(METHODS), 'Method of the request', 'POST')
  method!: string;

  @Required(text(1, 4_096), 'Path and query of the request as you send them', '/api/v0/orders')
  uri!: string;

  @Required(BODY, 'Body of the request, exactly as sent; empty when there is no body', '{}')
  body!: string;
}

export class WebhookCheckDto {
  @Required(uuid, 'The sandbox endpoint that received the webhook', SAMPLE.endpointId)
  'webhook-endpoint-id'!: string;

  @Optional(
    uuid,
    'The account of the endpoint: your account or a sub-account of it; your account if absent',
    SAMPLE.accountId,
  )
  'account-id'?: string;

  @Required(
    text(0, 200),
    'The secret that you verify with: the secret of a sandbox endpoint, never a live one',
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  )
  secret!: string;

  @Required(text(0, 200), 'Header `webhook-id`', SAMPLE.eventId)
  'webhook-id'!: string;

  @Required(text(0, 40), 'Header `webhook-timestamp`', '1769860800')
  'webhook-timestamp'!: string;

  @Required(text(0, 1_000), 'Header `webhook-signature`', 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=')
  'webhook-signature'!: string;

  @Required(BODY, 'Body of the request, exactly as sent', '{}')
  body!: string;
}

@Together(exactlyOneOf('jwt', 'webhook'))
export class SignatureCheckRequestDto {
  @OptionalObject(() => JwtCheckDto, 'A request that you sign')
  jwt?: JwtCheckDto;

  @OptionalObject(() => WebhookCheckDto, 'A webhook that you verify')
  webhook?: WebhookCheckDto;
}

export class SignatureCheckDto {
  @Required(text(1, 40), 'What was checked', 'timestamp')
  part!: string;

  @Required(oneOf(['correct', 'wrong', 'skipped']), 'Result; `skipped` if it depends on a check that failed', 'correct')
  result!: SignatureCheck['result'];

  @Required(text(1, 400), 'What it means and how to correct it', 'webhook-timestamp is within the tolerance')
  message!: string;
}

export class SignatureVerdictDto {
  @Required(oneOf(['correct', 'wrong']), 'Whether every check passed', 'correct')
  result!: 'correct' | 'wrong';

  @RequiredObjects(() => SignatureCheckDto, 'The checks in the order they were made')
  checks!: SignatureCheckDto[];
}

export class SignatureVerdictEnvelopeDto extends EnvelopeOf(
  'signature-check',
  () => SignatureVerdictDto,
  'Results of the checks',
) {}

export const SIGNATURE_REQUEST_EXAMPLE: SignatureCheckRequestDto = { webhook: exampleOf(WebhookCheckDto) };

export const SIGNATURE_EXAMPLE: SignatureVerdictEnvelopeDto = {
  'signature-check': {
    result: 'wrong',
    checks: [
      {
        part: 'timestamp',
        result: 'wrong',
        message: 'webhook-timestamp is in milliseconds; it must be seconds, as in the header',
      },
    ],
  },
};

export const verdictDto = (checks: readonly SignatureCheck[]): SignatureVerdictDto => ({
  result: checks.every(({ result }) => result === 'correct') ? 'correct' : 'wrong',
  checks: checks.map(({ part, result, message }) => ({ part, result, message })),
});
