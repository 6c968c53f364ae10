import { errors } from './error-definition';

/** Codes that the edge itself decides: shape, credentials, reach, routes, idempotency, rate. */
export const EDGE_ERRORS = {
  ...errors(400, 'invalid-request', {
    'malformed-json': 'The body is not well-formed JSON in UTF-8, or has a member twice.',
    'missing-field': 'A required member is missing.',
    'unknown-field': 'The body has a member that this operation does not know.',
    'invalid-type': 'A member has the wrong JSON type.',
    'invalid-format': 'A member has the right type and not the form it must have.',
    'invalid-enum-value': 'A value is not on its list.',
    'invalid-cursor': 'The cursor was not made by this list with these filters.',
    'invalid-limit': 'The limit is a whole number from 1 to 200.',
    'amount-must-be-string': 'Amounts are decimal strings; a JSON number would lose digits.',
    'malformed-request': 'The bytes that came are not an HTTP request that this server takes.',
  }),
  ...errors(401, 'authentication', {
    'missing-credentials': 'The request has no credentials of the kind that this route takes.',
    'unknown-api-key': 'There is no such API key, or its secret is another.',
    'revoked-api-key': 'The API key was revoked.',
    'invalid-signature': 'The token is not signed as the API key demands, or lacks a claim.',
    'token-expired': 'The token has expired, is not valid yet (iat or nbf in the future), or ends before it begins.',
    'token-lifetime-too-long': 'A token lives at most 50 seconds from iat to exp.',
    'nonce-reused': 'The nonce of this token was seen before.',
    'uri-mismatch': 'The uri claim is not the path and query of this request.',
    'method-mismatch': 'The method claim is not the method of this request.',
    'body-hash-mismatch': 'The body-hash claim is not the SHA-256 of this body.',
    'no-session': 'There is no session of staff, or it has ended.',
    'sign-in-refused': 'The sign-in was refused.',
    'invalid-staff-token': 'The staff token is not the one of this installation.',
  }),
  ...errors(403, 'permission', {
    'account-access-denied': 'The API key may not act on this account.',
    'api-key-read-only': 'The API key may read and not write.',
    'csrf-token-mismatch': 'The X-CSRF-Token is not the one of this session; see GET /staff/v1/session.',
    'cross-origin-request': 'Another site made this request.',
    'no-staff-role': 'The sign-in provider gives this person no role here.',
    'ip-not-allowed': 'The API key may not be used from this address.',
  }),
  ...errors(404, 'not-found', {
    'route-not-found': 'There is no such route.',
  }),
  ...errors(405, 'invalid-request', {
    'method-not-allowed': 'The route does not take this method; see Allow.',
  }),
  ...errors(406, 'invalid-request', {
    'not-acceptable': 'Answers are application/json; Accept leaves that out.',
  }),
  ...errors(408, 'invalid-request', {
    'request-timeout': 'The request did not arrive in time.',
  }),
  ...errors(
    409,
    'idempotency',
    {
      'idempotency-in-progress': 'The first request with this Idempotency-Key is still running.',
    },
    1,
  ),
  ...errors(413, 'invalid-request', {
    'body-too-large': 'A body has at most 64 kB, but for the text of an uploaded file.',
  }),
  ...errors(415, 'invalid-request', {
    'unsupported-media-type':
      'Bodies are application/json (uploads multipart/form-data too), sent once and not encoded; files are JPEG, PNG or PDF.',
  }),
  ...errors(417, 'invalid-request', {
    'expectation-failed': 'The Expect header asks for what this server does not do.',
  }),
  ...errors(422, 'idempotency', {
    'idempotency-key-reused': 'The Idempotency-Key was used with another body, or on another resource.',
  }),
  ...errors(
    429,
    'rate-limit',
    {
      'rate-limited': 'The API key has spent its requests for now.',
      'too-many-streams': 'The API key has as many event streams open as it may.',
    },
    1,
  ),
  ...errors(431, 'invalid-request', {
    'headers-too-large': 'Headers have at most 16 kB and 100 lines.',
  }),
  ...errors(500, 'service', {
    'internal-error': 'Something went wrong on our side; quote the X-Request-Id.',
  }),
  ...errors(
    503,
    'service',
    {
      'pricing-unavailable': 'No price can be given now; a retry with the same key is safe.',
      'rail-unavailable': 'The payment rail does not answer; a retry with the same key is safe.',
      'chain-unavailable': 'The chain does not answer; a retry with the same key is safe.',
      'service-unavailable': 'The service cannot answer now; a retry with the same key is safe.',
    },
    1,
  ),
};
