import { randomBytes } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Variables } from '@ponte/kernel';
import { MASTER_KEY_VARIABLES } from '@ponte/personal-data';
import type { Env } from './service-processes';

const KEY_BYTES = 32;
const OWNER_ONLY = 0o600;

/**
 * The setting that points to the master key of the data folder, which the first start creates; nothing if a key is
 * given.
 */
export function masterKeyOf(given: Variables, dataDirectory: string): Env {
  const { key, file: named, kms } = MASTER_KEY_VARIABLES;
  if ([key, named, kms].some((name) => given[name])) return {};
  const file = join(dataDirectory, 'master.key');
  if (!existsSync(file))
    writeFileSync(file, `${randomBytes(KEY_BYTES).toString('hex')}\n`, { mode: OWNER_ONLY, flag: 'wx' });
  return { [MASTER_KEY_VARIABLES.file]: file };
}
