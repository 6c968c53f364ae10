import { errors } from './error-definition';

/** Codes that the gateway itself refuses with: shape, credentials, permissions, routes, idempotency, rate limits. */
export const EDGE_ERRORS = {
  ...errors(400, 'invalid-request', {
    'malformed-json': 'The body is not valid JSON in UTF-8, or repeats a field.',
    'missing-field': 'A required field is missing.',
    'unknown-field': 'The body has a field that this operation does not accept.',
    'invalid-type': 'A field has the wrong JSON type.',
    'invalid-format': 'A field has the right type but the wrong format.',
    'invalid-enum-value': 'The value is not one of the accepted values.',
    'invalid-cursor':
      'The cursor belongs to another list or to other filters, or the position is beyond the end of the event log.',
    'invalid-limit': 'The limit must be a whole number from 1 to 200.',
    'amount-must-be-string': 'The amount must be a decimal string, not a JSON number.',
    'malformed-request': 'The request is not a valid HTTP/1.1 request.',
  }),
  ...errors(401, 'authentication', {
    'missing-credentials': 'The request has no credentials that this route accepts.',
    'unknown-api-key': 'Unknown API key or wrong secret.',
    'revoked-api-key': 'The API key has been revoked.',
    'invalid-signature':
      "The token's signature does not match the API key, or its sub or nonce claim is missing or wrong.",
    'token-expired':
      'The token has expired, is not valid yet (iat or nbf is in the future), or expires before it was issued.',
    'token-lifetime-too-long': 'The token must have iat and exp claims that are at most 50 seconds apart.',
    'nonce-reused': 'The nonce of this token has been used before.',
    'uri-mismatch': 'The uri claim does not match the path and query of the request.',
    'method-mismatch': 'The method claim does not match the method of the request.',
    'body-hash-mismatch': 'The body-hash claim must be the SHA-256 hash of the request body, in lower-case hex.',
    'no-session': 'The staff session does not exist or has ended.',
    'sign-in-refused': 'The sign-in was refused.',
    'invalid-staff-token': 'Unknown staff token.',
  }),
  ...errors(403, 'permission', {
    'account-access-denied': 'The API key has no access to this account.',
    'api-key-read-only': 'The API key is read-only.',
    'csrf-token-mismatch': 'The X-CSRF-Token does not match the session; GET /staff/v1/session returns it.',
    'cross-origin-request': 'The request was made by another site.',
    'no-staff-role': 'The sign-in provider assigns this person no staff role.',
    'ip-not-allowed': 'The API key may not be used from this IP address.',
  }),
  ...errors(404, 'not-found', {
    'route-not-found': 'The route does not exist.',
  }),
  ...errors(405, 'invalid-request', {
    'method-not-allowed': 'The route does not support this method; the Allow header lists those it does.',
  }),
  ...errors(406, 'invalid-request', {
    'not-acceptable':
      'The Accept header excludes the media type of the response: application/json unless the operation states another.',
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
    'body-too-large': 'The body is larger than 64 kB. Only the content of an uploaded file may be larger.',
  }),
  ...errors(415, 'invalid-request', {
    'unsupported-media-type':
      'The body must be application/json without Content-Encoding; uploads may also be multipart/form-data. Files must be JPEG, PNG or PDF.',
  }),
  ...errors(417, 'invalid-request', {
    'expectation-failed': 'The Expect header may only be 100-continue.',
  }),
  ...errors(422, 'idempotency', {
    'idempotency-key-reused': 'The Idempotency-Key was used before with another body or on another resource.',
  }),
  ...errors(
    429,
    'rate-limit',
    {
      'rate-limited':
        'Too many requests with this API key, or too many failed authentications from its address; see Retry-After.',
      'too-many-failed-authentications':
        'The credentials are wrong, and there were too many failed authentications from this address; see Retry-After.',
      'too-many-streams':
        'The API key already has 5 open event streams, the maximum. Close one, or read the log with GET …/events.',
    },
    1,
  ),
  ...errors(431, 'invalid-request', {
    'headers-too-large': 'The headers are larger than 16 kB or more than 100 lines.',
  }),
  ...errors(500, 'service', {
    'internal-error': 'Internal error. When you contact support, quote the X-Request-Id.',
  }),
  ...errors(
    503,
    'service',
    {
      'pricing-unavailable': 'No price is available at the moment. It is safe to retry with the same Idempotency-Key.',
      'rail-unavailable': 'The payment rail is not responding. It is safe to retry with the same Idempotency-Key.',
      'chain-unavailable': 'The chain is not responding. It is safe to retry with the same Idempotency-Key.',
      'service-unavailable':
        'The service is temporarily unavailable. It is safe to retry with the same Idempotency-Key.',
    },
    1,
  ),
};
