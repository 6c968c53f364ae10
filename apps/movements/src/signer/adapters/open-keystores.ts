import { join } from 'node:path';
import type { FormerKeysSettings, KeystoreSettings } from '../../chain/chains-settings.port';
import { formerKeyIds, formerPrefix, operatorKeyIds } from '../../movements-settings.port';
import type { Keystore } from '../signer.port';
import { LocalKeystore } from './local.keystore.adapter';
import { withFormerKeys } from './with-former-keys.keystore.adapter';

interface KeystoresOptions {
  readonly keystore: KeystoreSettings;
  readonly formerKeys?: readonly FormerKeysSettings[];
  /** The operator keys in use. In KMS they must exist. */
  readonly usedKeyIds: readonly string[];
  /** The data folder. */
  readonly folder: string;
  /** In production a missing keystore is an error. In a sandbox it is created. */
  readonly environment: 'sandbox' | 'production';
}

/**
 * Opens the keystore, with the former ones beside it if there are any. A former keystore is never created: nothing
 * could name its keys. Rejects with an Error when a keystore or a key is missing.
 */
export async function openKeystores({
  keystore,
  formerKeys = [],
  usedKeyIds,
  folder,
  environment,
}: KeystoresOptions): Promise<Keystore> {
  const missing = environment === 'production' ? 'refuse' : 'create';
  const keys = await open(keystore, usedKeyIds, join(folder, 'keystore.json'), missing);
  const former = new Map<string, Keystore>();
  for (const { number, keystore: which, count } of formerKeys) {
    const file = join(folder, number === 1 ? 'former-keystore.json' : `former-keystore-${number}.json`);
    former.set(formerPrefix(number), await open(which, operatorKeyIds(count), file, 'refuse'));
  }
  return withFormerKeys(keys, former, usedKeyIds, formerKeyIds(formerKeys));
}

async function open(
  which: KeystoreSettings,
  required: readonly string[],
  file: string,
  missing: 'create' | 'refuse',
): Promise<Keystore> {
  if (which.kind === 'file') return LocalKeystore.open({ file, passphrase: which.passphrase, missing });
  // The SDK takes a tenth of a second to load, and only this keystore needs it.
  const { AwsKeystore } = await import('./kms/aws.keystore.adapter');
  return AwsKeystore.open({ aliasPrefix: which.aliasPrefix, required, missing });
}
