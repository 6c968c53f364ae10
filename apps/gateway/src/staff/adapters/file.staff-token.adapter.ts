import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StaffToken } from '../staff-token.port';

const PRIVATE = 0o600;
const TOKEN_BYTES = 32;

/**
 * The staff token of an installation. The data folder contains its SHA-256 (hex) in `staff-token.sha256`. The token
 * itself is written to `staff-token` at the first start, for the operator, who may move that file away.
 */
export function openStaffToken(dataDirectory: string): StaffToken {
  const hashFile = join(dataDirectory, 'staff-token.sha256');
  if (!existsSync(hashFile)) makeToken(dataDirectory, hashFile);
  const stored = Buffer.from(readFileSync(hashFile, 'utf8').trim(), 'hex');
  return {
    matches: (token) => {
      const hash = sha256(token);
      return stored.length === hash.length && timingSafeEqual(stored, hash);
    },
  };
}

/** Writes the hash last: after a crash in between, the next start makes a new pair. */
function makeToken(dataDirectory: string, hashFile: string): void {
  mkdirSync(dataDirectory, { recursive: true });
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  writeWhole(join(dataDirectory, 'staff-token'), token);
  writeWhole(hashFile, sha256(token).toString('hex'));
}

function writeWhole(file: string, text: string): void {
  writeFileSync(`${file}.new`, `${text}\n`, { mode: PRIVATE });
  renameSync(`${file}.new`, file);
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest();
