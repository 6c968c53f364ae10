import type { FastifyRequest } from 'fastify';
import type { Environment } from '@ponte/nest';
import { ApiError, shapeError } from '../errors/api-error';
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

/** The form of the header `X-Operator`. */
export const OPERATOR_FORM = { minLength: 1, maxLength: 80, pattern: '^[!-~]([ -~]*[!-~])?$' } as const;
const OPERATOR = new RegExp(OPERATOR_FORM.pattern);

/**
 * The actor that events record for a request with the staff token: `staff:` and the person that `X-Operator` names, or
 * `staff` without the header. The token is shared, so in production
 * a write has to name its person.
 */
export function staffActor(request: FastifyRequest, write: boolean, environment: Environment): string {
  const name = request.headers['x-operator'];
  if (name === undefined) {
    if (write && environment === 'production')
      throw shapeError([
        {
          path: 'X-Operator',
          code: 'missing-field',
          message: 'is required: the name of the person who makes the change',
        },
      ]);
    return 'staff';
  }
  if (typeof name !== 'string' || name.length > OPERATOR_FORM.maxLength || !OPERATOR.test(name))
    throw shapeError([
      { path: 'X-Operator', code: 'invalid-format', message: 'must be 1 to 80 printable ASCII characters' },
    ]);
  return `staff:${name}`;
}
