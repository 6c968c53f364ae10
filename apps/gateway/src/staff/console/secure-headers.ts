import type { FastifyReply, FastifyRequest } from 'fastify';

/** Answers of the staff API are data: nothing of them is ever a page. */
export const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** PDF and images are shown from blobs of the console's own making. */
export const CONSOLE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self' blob:",
  "object-src 'none'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** What is served to staff. */
export const STAFF_PATHS = ['/staff', '/console'] as const;

const YEAR_SECONDS = 31_536_000;

/**
 * The headers of every response to staff, including errors and unknown paths. A policy that was already set is kept.
 */
export function secureStaffAnswer({ protocol }: FastifyRequest, reply: FastifyReply): void {
  reply.headers({
    'content-security-policy': reply.getHeader('content-security-policy') ?? DATA_POLICY,
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
    ...(protocol === 'https' ? { 'strict-transport-security': `max-age=${YEAR_SECONDS}` } : {}),
  });
}
