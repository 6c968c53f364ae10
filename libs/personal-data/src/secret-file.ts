import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** Only the owner of the process reads it. */
const MODE = 0o600;

/**
 * A secret of so many bytes, kept as hex in a file; made at first use, durably, and never written over. `required`
 * means that something already depends on it: then its absence is an error, not a reason to make another.
 */
export function secretFile(file: string, bytes: number, required: boolean): Buffer {
  if (!existsSync(file)) {
    if (required) throw new Error(`${file} is missing, but the data it protects exists: restore the file`);
    create(file, randomBytes(bytes));
  }
  return read(file, bytes);
}

/** The same, when it is there. */
export const existingSecret = (file: string, bytes: number): Buffer | undefined =>
  existsSync(file) ? read(file, bytes) : undefined;

function read(file: string, bytes: number): Buffer {
  const text = readFileSync(file, 'utf8').trim();
  if (!/^[0-9a-f]+$/.test(text) || text.length !== 2 * bytes)
    throw new Error(`${file} must contain ${bytes} bytes in hex`);
  return Buffer.from(text, 'hex');
}

/** Written aside, then linked into place: never half there, and the first of two wins. */
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
