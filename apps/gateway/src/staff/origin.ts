import type { FastifyRequest } from 'fastify';
import { ApiError } from '../errors/api-error';
import type { StaffSettings } from '../staff.config';
import { isLoopback } from '../staff.config';

type OriginSettings = Pick<StaffSettings, 'publicOrigin' | 'plainLoopback'>;

/** The origin under which browsers reach this server. */
export function ownOrigin(
  { protocol, host }: FastifyRequest,
  { publicOrigin }: Pick<OriginSettings, 'publicOrigin'>,
): string {
  if (publicOrigin !== null) return publicOrigin;
  const requested = `${protocol}://${host}`;
  if (!URL.canParse(requested)) throw new ApiError('malformed-request');
  return new URL(requested).origin;
}

/** True except for http to this machine in the sandbox, where a browser would not keep a Secure cookie. */
export function isSecure(request: FastifyRequest, { publicOrigin, plainLoopback }: OriginSettings): boolean {
  if (publicOrigin !== null) return publicOrigin.startsWith('https:');
  return !(plainLoopback && request.protocol === 'http' && isLoopback(request.hostname));
}

/**
 * Whether the request comes from a page of this server, according to the browser's headers. Every current browser sends
 * at least one of the two with a write. A client that sends neither is not a browser and has only its own cookies.
 * `Sec-Fetch-Site: none` is refused, because a link in a mail causes it, with the cookies of a session.
 */
export function isSameOrigin(request: FastifyRequest, place: OriginSettings): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (site !== undefined && site !== 'same-origin') return false;
  if (origin === undefined) return true;
  if (place.publicOrigin !== null) return origin === place.publicOrigin;
  return isHost(origin, request.host);
}

/**
 * Compares hosts only, because a proxy that terminates TLS keeps the host but not always the protocol. The default port
 * of a protocol may be omitted.
 */
function isHost(origin: string, host: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, host: theirs } = new URL(origin);
  const ours = `${protocol}//${host}`;
  return theirs !== '' && URL.canParse(ours) && new URL(ours).host === theirs;
}
