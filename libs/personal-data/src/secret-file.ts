import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { KEY_BYTES } from './personal-data';

/** Readable only by the owner of the process. */
const MODE = 0o600;

/**
 * A secret of {@link KEY_BYTES}, stored as hex in a file. It is created durably at the first use and never overwritten.
 * `required` means that existing data depends on it, so that a missing file is an error.
 */
export function secretFile(file: string, required: boolean): Buffer {
  if (!existsSync(file)) {
    if (required) throw new Error(`${file} is missing, but the data it protects exists: restore the file`);
    create(file, randomBytes(KEY_BYTES));
  }
  return read(file);
}

/** The secret if the file exists, else undefined. */
export const existingSecret = (file: string): Buffer | undefined => (existsSync(file) ? read(file) : undefined);

function read(file: string): Buffer {
  const text = readFileSync(file, 'utf8').trim();
  if (!/^[0-9a-f]+$/.test(text) || text.length !== 2 * KEY_BYTES)
    throw new Error(`${file} must contain ${KEY_BYTES} bytes in hex`);
  return Buffer.from(text, 'hex');
}

/** Links a complete temporary file into place, so that the first of two concurrent writers wins. */
function create(file: string, secret: Buffer): void {
  const aside = `${file}.${randomBytes(6).toString('hex')}`;
  const handle = openSync(aside, 'wx', MODE);
  try {
    writeSync(handle, `${secret.toString('hex')}\n`);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  try {
    linkSync(aside, file);
  } catch (error) {
    if (!existsSync(file)) throw error;
  } finally {
    rmSync(aside);
  }
  const folder = openSync(dirname(file), 'r');
  fsyncSync(folder);
  closeSync(folder);
}
