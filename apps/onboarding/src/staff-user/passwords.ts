import type { ScryptOptions } from 'node:crypto';
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

/** The scrypt cost: 32 MB and about 60 ms. Expensive for attacks on stolen hashes, cheap enough for a sign-in. */
const COST = 2 ** 15;
const BLOCK = 8;
const MAX_MEMORY = 64 * 1024 * 1024;
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** A hash that no password matches, so that an unknown name takes as long as a wrong password. */
const ABSENT_HASH = storedHash(Buffer.alloc(SALT_BYTES), Buffer.alloc(HASH_BYTES));

/**
 * The text that is stored for a password: the hash with its salt and its cost, so that the cost can be raised later.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  return storedHash(salt, await derive(password, salt, COST));
}

function storedHash(salt: Buffer, hash: Buffer): string {
  return `scrypt:v1:${COST}:${salt.toString('base64url')}:${hash.toString('base64url')}`;
}

/** False for an unknown user (`undefined`), after the same amount of work. */
export async function isPassword(password: string, hash: string | undefined): Promise<boolean> {
  const [, , cost = '', salt = '', expected = ''] = (hash ?? ABSENT_HASH).split(':');
  const derived = await derive(password, Buffer.from(salt, 'base64url'), Number(cost));
  return timingSafeEqual(derived, Buffer.from(expected, 'base64url')) && hash !== undefined;
}

const scryptAsync = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);
const derive = (password: string, salt: Buffer, cost: number): Promise<Buffer> =>
  scryptAsync(password, salt, HASH_BYTES, { N: cost, r: BLOCK, p: 1, maxmem: MAX_MEMORY });
