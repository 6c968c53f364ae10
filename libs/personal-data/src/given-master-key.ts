import { readFileSync } from 'node:fs';
import type { KeyRing } from './key-ring';
import { keyRing } from './key-ring';
import type { MasterKey } from './master-key';
import { KEY_BYTES, localMasterKey } from './master-key';

/** The variables that {@link masterKeyFrom} reads, for programs that list settings. */
export const MASTER_KEY_VARIABLES = {
  key: 'PONTE_MASTER_KEY',
  file: 'PONTE_MASTER_KEY_FILE',
  other: 'PONTE_OTHER_MASTER_KEY_FILE',
} as const;

/**
 * The master key configured in the environment: 32 bytes in hex, in `PONTE_MASTER_KEY` or in the file of
 * `PONTE_MASTER_KEY_FILE`. It is never generated, because processes that share keys must have the same one.
 * `PONTE_OTHER_MASTER_KEY_FILE` is a key used only for decryption, during a rotation.
 */
export function masterKeyFrom(env: Readonly<Record<string, string | undefined>>): KeyRing {
  const { key, file, other } = MASTER_KEY_VARIABLES;
  if (env[key] && env[file]) throw new Error(`set ${key} or ${file}, not both`);
  const text = (env[key] || (env[file] ? readFileSync(env[file], 'utf8') : '')).trim();
  const current = text === '' ? undefined : parsed(text);
  if (!current) throw new Error(`${key} or ${file} must be set; create a key with: openssl rand -hex ${KEY_BYTES}`);
  return keyRing(current, env[other] ? [parsed(readFileSync(env[other], 'utf8').trim())] : []);
}

function parsed(text: string): MasterKey {
  if (!/^[0-9a-f]+$/i.test(text) || text.length !== 2 * KEY_BYTES)
    throw new Error(`the master key must be ${KEY_BYTES} bytes in hex`);
  return localMasterKey(Buffer.from(text, 'hex'));
}
