import type { FastifyRequest } from 'fastify';
import { ApiError } from '../errors/api-error';
import type { StaffToken } from '../staff/staff-token.port';

const CHALLENGE = { 'www-authenticate': 'Staff' };

/** Authenticates staff by `Authorization: Staff <token>`, a scheme that partner credentials never use. */
export function checkStaff(request: FastifyRequest, staffToken: StaffToken): void {
  const token = /^Staff +([!-~]{1,200})$/i.exec(request.headers.authorization ?? '')?.[1];
  if (token === undefined)
    throw new ApiError('missing-credentials', {
      message: 'Send Authorization: Staff with the staff token of this installation.',
      headers: CHALLENGE,
    });
  if (!staffToken.matches(token)) throw new ApiError('invalid-staff-token', { headers: CHALLENGE });
}
