import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { CallbackSignature } from '../../checks.vendors';

export type SignatureVerdict = 'genuine' | 'unsigned' | 'stale' | 'forged';

/**
 * Older or younger than this, and someone may have kept it to send it again. Clocks of vendors are right to some
 * seconds.
 */
export const CALLBACK_WINDOW_SECONDS = 300;
const MAX_SIGNATURES = 10;
const SIGNATURE = /^(?:[a-z0-9]{1,10}=)?([0-9a-f]{64})$/i;

/**
 * Judges the raw bytes, before anything reads them. `nowMs` is system time: business time can be advanced in the
 * sandbox.
 */
export function judgeSignature(
  { secrets, timestampHeader, signatureHeader }: CallbackSignature,
  headers: IncomingHttpHeaders,
  body: Uint8Array,
  nowMs: number,
): SignatureVerdict {
  const timestamp = headers[timestampHeader];
  const signatures = headers[signatureHeader];
  if (typeof timestamp !== 'string' || typeof signatures !== 'string' || !/^\d{1,12}$/.test(timestamp))
    return 'unsigned';
  const given = signatures
    .split(/[\s,]+/, MAX_SIGNATURES)
    .flatMap((one) => SIGNATURE.exec(one)?.[1] ?? [])
    .map((hex) => Buffer.from(hex, 'hex'));
  const expected = secrets.map((secret) => signatureOf(secret, timestamp, body));
  // Every pair is compared, and each in constant time: how long it takes tells nothing of what was right.
  const matches = expected.flatMap((right) => given.map((one) => timingSafeEqual(right, one)));
  if (!matches.includes(true)) return given.length === 0 ? 'unsigned' : 'forged';
  return Math.abs(nowMs / 1000 - Number(timestamp)) <= CALLBACK_WINDOW_SECONDS ? 'genuine' : 'stale';
}

/** The 32 bytes of the signature. */
export const signatureOf = (secret: string, timestamp: string, body: Uint8Array): Buffer =>
  createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest();
