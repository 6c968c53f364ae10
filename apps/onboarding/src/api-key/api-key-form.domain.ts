import type { AccountStatus, ApiKeyCreated, ApiKeyCredential, RateLimits } from '@ponte/contracts';
import { isApiKeyId, MAX_RATE, RATE_NAMES, RATES } from '@ponte/contracts';
import type { Violation } from '@ponte/kernel';
import { violation } from '@ponte/kernel';
import { nameViolations } from '../person/texts.domain';

export type ApiKeyTerms = ApiKeyCreated['data'];

export type KeyEnvironment = 'sandbox' | 'production';

const PREFIX: Readonly<Record<KeyEnvironment, string>> = { sandbox: 'ak_test_', production: 'ak_live_' };
const SHA_256_HEX = /^[0-9a-f]{64}$/;
const MAX_ALLOWLIST = 100;

/** Whether the account may get a new API key: only an active one may. */
export function accountViolations(status: AccountStatus | 'absent'): Violation[] {
  switch (status) {
    case 'active':
      return [];
    case 'absent':
      return [violation('account-not-found', 'account-id', 'there is no such account')];
    case 'frozen':
    case 'closed':
      return [violation('account-not-active', 'account-id', `the account is ${status}`)];
  }
}

/**
 * The violations of the terms of a new key. The content of its public key and address list is checked by
 * `materialViolations`.
 */
export function formViolations(
  { keyId, name, credential, ipAllowlist, rateLimits }: ApiKeyTerms,
  environment: KeyEnvironment,
): Violation[] {
  return [
    ...(isApiKeyId(keyId) && keyId.startsWith(PREFIX[environment])
      ? []
      : [violation('invalid-format', 'key-id', `must be ${PREFIX[environment]} followed by 24 letters or digits`)]),
    ...nameViolations(name, 'name'),
    ...credentialViolations(credential, environment),
    ...(ipAllowlist.length <= MAX_ALLOWLIST
      ? []
      : [violation('invalid-format', 'ip-allowlist', `must have at most ${MAX_ALLOWLIST} entries`)]),
    ...rateLimitViolations(rateLimits),
  ];
}

function credentialViolations(credential: ApiKeyCredential, environment: KeyEnvironment): Violation[] {
  switch (credential.kind) {
    case 'jwt':
      return [];
    case 'bearer':
      if (environment !== 'sandbox')
        return [violation('bearer-key-not-allowed', 'bearer', 'bearer keys are allowed only in the sandbox')];
      return SHA_256_HEX.test(credential.secretHash)
        ? []
        : [violation('invalid-format', 'bearer', 'must be the SHA-256 of the secret in lower-case hex')];
  }
}

/**
 * `invalid-format` for each rate that is not a whole number from 1 to {@link MAX_RATE}. Null means the environment's
 * default rates and has no violations.
 */
const rateLimitViolations = (rateLimits: RateLimits | null): Violation[] =>
  rateLimits === null
    ? []
    : RATES.filter((rate) => !isRate(rateLimits[rate])).map((rate) => ({
        code: 'invalid-format',
        path: `rate-limits.${RATE_NAMES[rate]}`,
        message: `must be a whole number from 1 to ${MAX_RATE}`,
      }));

const isRate = (rate: number): boolean => Number.isInteger(rate) && rate >= 1 && rate <= MAX_RATE;
