import type { PublicErrorCode } from '@ponte/kernel';
import { fieldNames, optionalFields } from '../validation/fields';
import type { OperationSpec } from './operation-spec';
import { takesKey } from './route-policy';

/** The error codes that any operation of this kind may return. */
export function usualErrors(spec: OperationSpec, method: string): PublicErrorCode[] {
  const { reach, body, query, paged } = spec;
  const codes: PublicErrorCode[] = ['not-acceptable', 'internal-error', 'service-unavailable'];
  // An operation without a body still reads one and accepts only an empty object. A `Prefer` header with a dry run that
  // is not supported has an invalid format.
  if (method !== 'GET')
    codes.push(
      'malformed-json',
      'unknown-field',
      'invalid-type',
      'invalid-format',
      'body-too-large',
      'unsupported-media-type',
    );
  if (body) codes.push('missing-field', 'invalid-enum-value');
  // A parameter that is sent twice is parsed as a list.
  if (query) codes.push('invalid-type', 'invalid-format', 'invalid-enum-value');
  if (query && fieldNames(query).length > optionalFields(query).length) codes.push('missing-field');
  if (paged) codes.push('invalid-cursor', 'invalid-limit');
  if (takesKey(spec, method)) codes.push('idempotency-in-progress', 'idempotency-key-reused');
  // Of the header `X-Operator`.
  if (reach === 'staff') codes.push('invalid-format', ...(method === 'GET' ? [] : (['missing-field'] as const)));
  if (reach === 'staff') codes.push('missing-credentials', 'invalid-staff-token', 'too-many-failed-authentications');
  if (reach === 'session') codes.push('no-session', 'cross-origin-request', 'role-not-allowed', 'csrf-token-mismatch');
  if (reach === 'public' || reach === 'staff' || reach === 'session') return codes;
  codes.push(
    'missing-credentials',
    'unknown-api-key',
    'revoked-api-key',
    'invalid-signature',
    'token-expired',
    'token-lifetime-too-long',
    'nonce-reused',
    'uri-mismatch',
    'method-mismatch',
    'body-hash-mismatch',
    'ip-not-allowed',
    'rate-limited',
    'too-many-failed-authentications',
  );
  if (method !== 'GET')
    codes.push('api-key-read-only', ...(spec.whileFrozen === 'allowed' ? [] : (['account-not-active'] as const)));
  if (reach === 'account') codes.push('account-access-denied');
  return codes;
}
