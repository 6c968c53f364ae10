import { randomBytes } from 'node:crypto';
import { KEY_ID_BYTES, newApiKeyId, newBearerSecret, SECRET_BYTES } from '@ponte/contracts';
import { refuse } from '@ponte/kernel';
import type { KeyMaker } from './key-maker.port';

/** Creates ids and secrets from the system's random number generator. */
export const randomKeyMaker = (environment: 'sandbox' | 'production'): KeyMaker => ({
  keyId: () => newApiKeyId(environment, randomBytes(KEY_ID_BYTES)),
  bearerSecret: (keyId) =>
    environment === 'sandbox'
      ? newBearerSecret(keyId, randomBytes(SECRET_BYTES))
      : refuse('bearer-key-not-allowed', 'bearer keys exist only in the sandbox', 'bearer'),
});
