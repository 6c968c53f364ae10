import { readFileSync } from 'node:fs';
import type { MasterKey } from './master-key';
import { KEY_BYTES, localMasterKey } from './master-key';

/** Variables of {@link masterKeyFrom}, for whoever prints them. */
export const MASTER_KEY_VARIABLES = { key: 'PONTE_MASTER_KEY', file: 'PONTE_MASTER_KEY_FILE' } as const;

/**
 * The master key that the environment names: 32 bytes in hex, in `PONTE_MASTER_KEY` or in the file of `PONTE_MASTER_KEY_FILE`. Never made
 * here: processes that share keys must be given the same one.
 */
export function masterKeyFrom(env: Readonly<Record<string, string | undefined>>): MasterKey {
  const { key, file } = MASTER_KEY_VARIABLES;
  if (env[key] && env[file]) throw new Error(`say ${key} or ${file}, not both`);
  const text = (env[key] || (env[file] ? readFileSync(env[file], 'utf8') : '')).trim();
  if (text === '') throw new Error(`${key} or ${file} is missing; make one with: openssl rand -hex ${KEY_BYTES}`);
  if (!/^[0-9a-f]+$/i.test(text) || text.length !== 2 * KEY_BYTES) throw new Error(`the master key is not ${KEY_BYTES} bytes in hex`);
  return localMasterKey(Buffer.from(text, 'hex'));
}
