import { randomBytes } from 'node:crypto';
import { KEY_ID_BYTES, newApiKeyId, newBearerSecret, SECRET_BYTES } from '@ponte/contracts';
import type { KeyMaker } from '../../ports/key-maker';

/** Ids and secrets from the system's source of randomness. */
export const randomKeyMaker = (environment: 'sandbox' | 'production'): KeyMaker => ({
  keyId: () => newApiKeyId(environment, randomBytes(KEY_ID_BYTES)),
  bearerSecret: (keyId) => newBearerSecret(keyId, randomBytes(SECRET_BYTES)),
});
