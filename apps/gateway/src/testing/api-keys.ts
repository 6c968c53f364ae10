import { generateKeyPairSync } from 'node:crypto';
import type { ApiKeyRecord } from '@ponte/contracts';
import { secretHashOf } from '@ponte/contracts';

const part = (letter: string) => letter.repeat(24);
const secret = (letter: string) => `sk_test_${part(letter)}_${letter.repeat(43)}`;
export const KEY = {
  partner: secret('a'),
  readOnly: secret('b'),
  child: secret('c'),
  stranger: secret('d'),
  revoked: secret('e'),
  elsewhere: secret('f'),
  slow: secret('9'),
};
export const JWT_KEY_ID = `ak_test_${part('7')}`;
export const jwtKeys = generateKeyPairSync('ec', { namedCurve: 'P-256' });

export const bearer = (clear: string, accountId: string, more: Partial<ApiKeyRecord> = {}): ApiKeyRecord => ({
  keyId: `ak_test_${clear.slice(8, 32)}`,
  accountId,
  name: 'test',
  access: 'read-write',
  credential: { kind: 'bearer', secretHash: secretHashOf(clear) },
  ipAllowlist: [],
  rateLimits: null,
  revoked: false,
  ...more,
});
