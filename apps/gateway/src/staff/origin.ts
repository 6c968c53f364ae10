import type { FastifyRequest } from 'fastify';
import { ApiError } from '../errors/api-error';
import type { StaffSettings } from '../staff.config';
import { isLoopback } from '../staff.config';

type Place = Pick<StaffSettings, 'publicOrigin' | 'plainLoopback'>;

/** Where browsers find this server. */
export function ownOrigin({ protocol, host }: FastifyRequest, { publicOrigin }: Pick<Place, 'publicOrigin'>): string {
  if (publicOrigin !== null) return publicOrigin;
  const asked = `${protocol}://${host}`;
  if (!URL.canParse(asked)) throw new ApiError('malformed-request');
  return new URL(asked).origin;
}

/** True but for http to this machine in the sandbox, where a browser would not keep a Secure cookie. */
export function isSecure(request: FastifyRequest, { publicOrigin, plainLoopback }: Place): boolean {
  if (publicOrigin !== null) return publicOrigin.startsWith('https:');
  return !(plainLoopback && request.protocol === 'http' && isLoopback(request.hostname));
}

/**
 * Whether a page of this server asks, as far as the browser tells: every browser of today sends at least one of the two
 * headers with a write. Who sends neither is no browser, and has no cookies but its own.
 */
export function isSameOrigin(request: FastifyRequest, place: Place): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  if (origin === undefined) return true;
  if (place.publicOrigin !== null) return origin === place.publicOrigin;
  return isHost(origin, request.host);
}

/**
 * A proxy that ends TLS leaves the host as it was, and not always the protocol. The port that a protocol has anyway may
 * be left out.
 */
function isHost(origin: string, host: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, host: theirs } = new URL(origin);
  const ours = `${protocol}//${host}`;
  return theirs !== '' && URL.canParse(ours) && new URL(ours).host === theirs;
}
