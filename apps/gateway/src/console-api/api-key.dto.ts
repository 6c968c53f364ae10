import type { ApiKeyAccess, ApiKeyAlgorithm } from '@ponte/contracts';
import { MAX_RATE, REVOCATION_REASONS } from '@ponte/contracts';
import { flag, oneOf, text, uuid, wholeWithin } from '../validation/field-types';
import { textList } from '../validation/list-field-types';
import { EnvelopeOf } from '../validation/envelopes';
import { exampleOf, NullableObject, Optional, OptionalObject, Required } from '../validation/fields';
import { Together, isValue, sentWithout } from '../validation/together';
import { SAMPLE } from '../api/samples';
import { shownName } from './staff.dto';

const rate = wholeWithin(1, MAX_RATE);

/** Token buckets, one for writes and one for reads. A bucket holds its burst and refills at its rate per second. */
export class RateLimitsDto {
  @Required(rate, 'The rate of POST, PATCH and DELETE requests a second', 20)
  'writes-per-second'!: number;

  @Required(rate, 'The largest burst of POST, PATCH and DELETE requests', 60)
  'write-burst'!: number;

  @Required(rate, 'The rate of GET requests a second', 50)
  'reads-per-second'!: number;

  @Required(rate, 'The largest burst of GET requests', 150)
  'read-burst'!: number;
}

@Together({
  if: isValue('bearer', true),
  then: sentWithout([], ['public-key', 'algorithm']),
  else: sentWithout(['public-key', 'algorithm'], []),
})
export class CreateApiKeyDto {
  @Required(shownName, 'What the key is for', 'back end')
  name!: string;

  @Optional(oneOf(['read-only', 'read-write']), 'What the key may do; read-only if absent', 'read-write')
  access?: ApiKeyAccess;

  @Optional(text(1, 4000), 'The public key that verifies tokens, in PEM form')
  'public-key'?: string;

  @Optional(oneOf(['RS256', 'ES256', 'EdDSA']), 'The algorithm of the public key', 'ES256')
  algorithm?: ApiKeyAlgorithm;

  @Optional(flag, 'True for a sandbox key that is a plain secret', true)
  bearer?: boolean;

  @Optional(
    textList(100, undefined, 50),
    'The IP addresses and CIDR blocks that may use the key. Default: any address',
    ['10.0.0.0/8'],
  )
  'ip-allowlist'?: string[];

  @OptionalObject(() => RateLimitsDto, 'The limits of this key. Default: the limits of the environment')
  'rate-limits'?: RateLimitsDto;
}

export class RevokeApiKeyDto {
  @Required(oneOf(REVOCATION_REASONS), 'Why the key is revoked', 'rotated')
  reason!: string;
}

export class ApiKeyDto {
  @Required(text(1, 60), 'Id of the key', SAMPLE.keyId)
  id!: string;

  @Required(uuid, 'The account it acts for', SAMPLE.accountId)
  'account-id'!: string;

  @Required(shownName, 'What the key is for', 'back end')
  name!: string;

  @Required(oneOf(['read-only', 'read-write']), 'What it may do', 'read-write')
  access!: string;

  @Required(flag, 'Whether it was revoked', false)
  revoked!: boolean;

  @NullableObject(() => RateLimitsDto, 'The limits of this key. Null if the limits of the environment apply')
  'rate-limits'!: RateLimitsDto | null;

  @Optional(text(1, 200), 'The secret of a new bearer key. Shown only here and in repeats of the request')
  secret?: string;
}

export class ApiKeyEnvelopeDto extends EnvelopeOf('api-key', () => ApiKeyDto, 'The key') {}
export const RATE_LIMITS_EXAMPLE = exampleOf(RateLimitsDto);
