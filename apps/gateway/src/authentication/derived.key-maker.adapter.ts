import { KEY_ID_BYTES, newApiKeyId, newBearerSecret } from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import { refuse } from '@ponte/kernel';
import type { KeyMaker } from './key-maker.port';

/** Derives ids and secrets with the pepper of the installation: a secret cannot be computed without it. */
export function derivedKeyMaker(
  environment: 'sandbox' | 'production',
  personalData: Pick<PersonalData, 'fingerprint'>,
): KeyMaker {
  const bytesOf = (kind: string, commandId: string) => Buffer.from(personalData.fingerprint(kind, commandId), 'hex');
  return {
    keyId: (commandId) => newApiKeyId(environment, bytesOf('api-key-id', commandId).subarray(0, KEY_ID_BYTES)),
    bearerSecret: (keyId, commandId) =>
      environment === 'sandbox'
        ? newBearerSecret(keyId, bytesOf('api-key-secret', commandId))
        : refuse('bearer-key-not-allowed', 'bearer keys exist only in the sandbox', 'bearer'),
  };
}
