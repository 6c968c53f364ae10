import { createHash } from 'node:crypto';
import {
  isApiKeyId,
  KEY_ID_BYTES,
  keyIdOfBearer,
  newApiKeyId,
  newBearerSecret,
  SECRET_BYTES,
  secretHashOf,
} from './api-keys';

const random = (bytes: number, first = 0) => Uint8Array.from({ length: bytes }, (_, at) => (first + at * 37) % 256);

describe('API keys', () => {
  it('start with ak_live_ or ak_test_', () => {
    expect(newApiKeyId('sandbox', random(KEY_ID_BYTES))).toMatch(/^ak_test_[0-9a-f]{24}$/);
    expect(newApiKeyId('production', random(KEY_ID_BYTES))).toMatch(/^ak_live_[0-9a-f]{24}$/);
    for (const text of [
      '',
      'ak_test_',
      `ak_test_${'0'.repeat(25)}`,
      `ak_prod_${'0'.repeat(24)}`,
      `ak_test_${'0'.repeat(24)}\n`,
    ])
      expect(isApiKeyId(text)).toBe(false);
    expect(() => newApiKeyId('sandbox', random(KEY_ID_BYTES - 1))).toThrow(RangeError);
  });

  it('have bearer secrets that contain the key id and 32 random bytes, of which only the hash is stored', () => {
    const keyId = newApiKeyId('sandbox', random(KEY_ID_BYTES));
    for (let first = 0; first < 256; first += 1) {
      const secret = newBearerSecret(keyId, random(SECRET_BYTES, first));
      expect(keyIdOfBearer(secret)).toBe(keyId);
      expect(secretHashOf(secret)).toBe(createHash('sha256').update(secret).digest('hex'));
    }
    expect(() => newBearerSecret(newApiKeyId('production', random(KEY_ID_BYTES)), random(SECRET_BYTES))).toThrow(
      TypeError,
    );
    expect(() => newBearerSecret(keyId, random(SECRET_BYTES - 1))).toThrow(RangeError);
    for (const text of [
      '',
      keyId,
      `sk_live_${'0'.repeat(24)}_${'A'.repeat(43)}`,
      `sk_test_${'0'.repeat(24)}_${'A'.repeat(42)}`,
    ])
      expect(keyIdOfBearer(text)).toBeUndefined();
  });
});
