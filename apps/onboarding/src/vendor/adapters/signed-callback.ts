import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { CallbackSignature } from '../../checks.vendors';

type SignatureVerdict = 'genuine' | 'unsigned' | 'stale' | 'forged';

/** A callback further from our time than this may be a replay. Vendors' clocks are accurate to some seconds. */
const CALLBACK_WINDOW_SECONDS = 300;
const MAX_SIGNATURES = 10;
const SIGNATURE = /^(?:[a-z0-9]{1,10}=)?([0-9a-f]{64})$/i;

/**
 * Checks the signature of the raw bytes, before they are parsed. `nowMs` is system time, because business time can be
 * advanced in the sandbox.
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
  // Every pair is compared, each in constant time, so that the duration does not reveal which part was right.
  const matches = expected.flatMap((right) => given.map((one) => timingSafeEqual(right, one)));
  if (!matches.includes(true)) return given.length === 0 ? 'unsigned' : 'forged';
  return Math.abs(nowMs / 1000 - Number(timestamp)) <= CALLBACK_WINDOW_SECONDS ? 'genuine' : 'stale';
}

/** The 32 bytes of the signature. */
export const signatureOf = (secret: string, timestamp: string, body: Uint8Array): Buffer =>
  createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest();
