import { readFileSync } from 'node:fs';
import type { KeyRing } from './key-ring';
import { keyRing } from './key-ring';
import { kmsMasterKey } from './kms-master-key';
import type { MasterKey } from './personal-data';
import { KEY_BYTES, localMasterKey } from './personal-data';

/** The variables that {@link masterKeyFrom} reads, for programs that list settings. */
export const MASTER_KEY_VARIABLES = {
  key: 'PONTE_MASTER_KEY',
  file: 'PONTE_MASTER_KEY_FILE',
  kms: 'PONTE_MASTER_KEY_KMS',
  other: 'PONTE_OTHER_MASTER_KEY_FILE',
  otherKms: 'PONTE_OTHER_MASTER_KEY_KMS',
} as const;

/**
 * The master key configured in the environment: 32 bytes in hex, in `PONTE_MASTER_KEY` or in the file of
 * `PONTE_MASTER_KEY_FILE`, or the ARN of a key in AWS KMS in `PONTE_MASTER_KEY_KMS`. It is never generated, because
 * processes that share keys must have the same one. The key of `PONTE_OTHER_MASTER_KEY_…` is used only for decryption,
 * during a rotation, also between a file and KMS.
 */
export function masterKeyFrom(env: Readonly<Record<string, string | undefined>>): KeyRing {
  const { key, file, kms, other, otherKms } = MASTER_KEY_VARIABLES;
  if ([key, file, kms].filter((name) => env[name]).length > 1)
    throw new Error(`set only one of ${key}, ${file} and ${kms}`);
  const current = env[kms] ? kmsMasterKey(env[kms]) : localFrom(env[key] || contentOf(env[file]));
  if (!current)
    throw new Error(`${key}, ${file} or ${kms} must be set; create a key with: openssl rand -hex ${KEY_BYTES}`);
  return keyRing(current, [
    ...(env[other] ? [parsed(contentOf(env[other]))] : []),
    ...(env[otherKms] ? [kmsMasterKey(env[otherKms])] : []),
  ]);
}

const contentOf = (file: string | undefined): string => (file ? readFileSync(file, 'utf8').trim() : '');

const localFrom = (text: string): MasterKey | undefined => (text.trim() === '' ? undefined : parsed(text.trim()));

function parsed(text: string): MasterKey {
  if (!/^[0-9a-f]+$/i.test(text) || text.length !== 2 * KEY_BYTES)
    throw new Error(`the master key must be ${KEY_BYTES} bytes in hex`);
  return localMasterKey(Buffer.from(text, 'hex'));
}
