import type { FastifyReply, FastifyRequest } from 'fastify';

/** Responses of the staff API are data and never rendered as a page. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** PDF files and images are shown from blobs that the console creates. */
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

/** The path prefixes of the staff API and the console. */
export const STAFF_PATHS = ['/staff', '/console'] as const;

const YEAR_SECONDS = 31_536_000;

/**
 * Sets the headers of every response to staff, including errors and unknown paths. Keeps a policy that was already set.
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
