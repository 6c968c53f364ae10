import { join } from 'node:path';
import type { FormerKeysSettings, KeystoreSettings } from '../../chain/chains-settings.port';
import { formerKeyIds, operatorKeyIds } from '../../movements-settings.port';
import type { Keystore } from '../signer.port';
import { LocalKeystore } from './local-keystore';
import { withFormerKeys } from './with-former-keys';

export interface KeystoresOptions {
  readonly keystore: KeystoreSettings;
  readonly formerKeys?: FormerKeysSettings;
  /** The operator keys in use. In KMS they must exist. */
  readonly usedKeyIds: readonly string[];
  /** The data folder. */
  readonly folder: string;
  /** In production a missing keystore is an error. In a sandbox it is created. */
  readonly environment: 'sandbox' | 'production';
}

/**
 * Opens the keystore, with the former one beside it if there is one. A former keystore is never created: nothing could
 * name its keys. Rejects with an Error when a keystore or a key is missing.
 */
export async function openKeystores({
  keystore,
  formerKeys,
  usedKeyIds,
  folder,
  environment,
}: KeystoresOptions): Promise<Keystore> {
  const missing = environment === 'production' ? 'refuse' : 'create';
  const keys = await open(keystore, usedKeyIds, join(folder, 'keystore.json'), missing);
  if (formerKeys === undefined) return keys;
  const required = operatorKeyIds(formerKeys.count);
  const former = await open(formerKeys.keystore, required, join(folder, 'former-keystore.json'), 'refuse');
  return withFormerKeys(keys, former, usedKeyIds, formerKeyIds(formerKeys.count));
}

async function open(
  which: KeystoreSettings,
  required: readonly string[],
  file: string,
  missing: 'create' | 'refuse',
): Promise<Keystore> {
  if (which.kind === 'file') return LocalKeystore.open({ file, passphrase: which.passphrase, missing });
  // The SDK takes a tenth of a second to load, and only this keystore needs it.
  const { AwsKeystore } = await import('./kms/aws-keystore.adapter');
  return AwsKeystore.open({ aliasPrefix: which.aliasPrefix, required, missing });
}
