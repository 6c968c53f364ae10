import type { AccountStatus, ApiKeyCredential } from '@ponte/contracts';
import { isApiKeyId, rateLimitFaults } from '@ponte/contracts';
import type { Fault } from '@ponte/kernel';
import { fault, nameFaults } from '../texts';
import type { ApiKeyTerms } from './api-key';

export type KeyEnvironment = 'sandbox' | 'production';

const PREFIX: Readonly<Record<KeyEnvironment, string>> = { sandbox: 'ak_test_', production: 'ak_live_' };
const SHA_256_HEX = /^[0-9a-f]{64}$/;
const MAX_ALLOWLIST = 100;

export function accountFaults(status: AccountStatus | 'absent'): Fault[] {
  switch (status) {
    case 'active': return [];
    case 'absent': return [fault('account-not-found', 'account-id', 'there is no such account')];
    case 'frozen':
    case 'closed': return [fault('account-not-active', 'account-id', `the account is ${status}`)];
  }
}

export function formFaults({ keyId, name, credential, ipAllowlist, rateLimits }: ApiKeyTerms, environment: KeyEnvironment): Fault[] {
  return [
    ...(isApiKeyId(keyId) && keyId.startsWith(PREFIX[environment]) ? [] : [fault('invalid-format', 'key-id', `a key id here is ${PREFIX[environment]} and 24 letters or digits`)]),
    ...nameFaults(name, 'name'),
    ...credentialFaults(credential, environment),
    ...(ipAllowlist.length <= MAX_ALLOWLIST ? [] : [fault('invalid-format', 'ip-allowlist', `at most ${MAX_ALLOWLIST} entries are wanted`)]),
    ...rateLimitFaults(rateLimits),
  ];
}

function credentialFaults(credential: ApiKeyCredential, environment: KeyEnvironment): Fault[] {
  switch (credential.kind) {
    case 'jwt': return [];
    case 'bearer':
      if (environment !== 'sandbox') return [fault('bearer-key-not-allowed', 'bearer', 'bearer keys exist in the sandbox alone')];
      return SHA_256_HEX.test(credential.secretHash) ? [] : [fault('invalid-format', 'bearer', 'only the SHA-256 of the secret is taken, as lower-case hex')];
  }
}
