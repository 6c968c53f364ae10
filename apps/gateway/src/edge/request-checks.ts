import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { Violation } from '@ponte/kernel';
import { lowerCaseUuid } from '@ponte/kernel';
import { ApiError, shapeError } from '../errors/api-error';
import { keyViolations } from '../idempotency/idempotency.service';
import type { RoutePolicy } from './route-policy';

/** The largest number of entries in `rawHeaders`, where each header has two: name and value. */
const MAX_RAW_HEADERS = 200;

/**
 * A bit for each header that decides the caller, the target or the command, so that a repetition is detected. If one is
 * sent twice, a proxy may have used the other value. RFC 9112, section 3.2, also forbids two hosts.
 */
function bitOf(name: string): number {
  switch (name.length) {
    case 4:
      return name.toLowerCase() === 'host' ? 1 : 0;
    case 9:
      return name.toLowerCase() === 'x-api-key' ? 2 : 0;
    case 13:
      return name.toLowerCase() === 'authorization' ? 4 : 0;
    case 15:
      return name.toLowerCase() === 'idempotency-key' ? 8 : 0;
    default:
      return 0;
  }
}

/** Whether one of these headers is repeated. Node keeps only one value, so this reads the raw headers, once. */
function sendsTwice(rawHeaders: readonly string[]): boolean {
  let seen = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const bit = bitOf(rawHeaders[at] ?? '');
    if ((seen & bit) !== 0) return true;
    seen |= bit;
  }
  return false;
}

/** Refuses headers that HTTP allows but the gateway does not. Runs before authentication, because it is cheap. */
export function checkHeaders(request: FastifyRequest): void {
  const { headers, raw } = request;
  if (raw.rawHeaders.length > MAX_RAW_HEADERS) throw new ApiError('headers-too-large');
  // HTTP/1.1 requires a host. The server leaves the check to us so that the error has our format.
  if (headers.host === undefined && raw.httpVersion === '1.1') throw new ApiError('malformed-request');
  if (sendsTwice(raw.rawHeaders)) throw new ApiError('malformed-request');
  if (headers['transfer-encoding'] !== undefined) checkTransferEncoding(headers['transfer-encoding'], raw.httpVersion);
  if (headers['content-encoding'] !== undefined && headers['content-encoding'] !== 'identity')
    throw new ApiError('unsupported-media-type');
  checkAccept(headers.accept, request.routeOptions.config.policy?.produces);
}

/**
 * Refuses every transfer coding but chunks, and any in HTTP/1.0. Node accepts both, but another server in front of it
 * may read the body, and what follows it on the connection, differently (RFC 9112, section 6.1).
 */
function checkTransferEncoding(coding: string, httpVersion: string): void {
  if (httpVersion === '1.1' && coding.toLowerCase() === 'chunked') return;
  throw new ApiError('malformed-request', { headers: { connection: 'close' } });
}

/**
 * Refuses a path with an empty id, which the router would accept. Ids are accepted in upper and lower case (RFC 9562,
 * section 4) and converted to lower case here, so that they can be compared as text.
 */
export function checkPath({ params }: FastifyRequest): void {
  const values = params as Record<string, string>;
  for (const name of Object.keys(values)) {
    const value = values[name] ?? '';
    if (value === '') throw new ApiError('route-not-found');
    values[name] = lowerCaseUuid(value);
  }
}

/** Refuses an Accept header that excludes every media type of the response. */
function checkAccept(accept: string | undefined, produces: readonly string[] = []): void {
  if (produces.length === 0 || produces.some((type) => accepts(accept, type))) return;
  throw new ApiError('not-acceptable', {
    message: `Responses are ${produces.join(' or ')}, which the Accept header excludes.`,
  });
}

/**
 * Whether an Accept header allows a media type. The most specific range that matches decides; an empty header allows
 * everything.
 */
function accepts(accept: string | undefined, type: string): boolean {
  if (accept === undefined || accept === '' || accept === '*/*' || accept === type) return true;
  const ranges = ['*/*', `${type.slice(0, type.indexOf('/'))}/*`, type];
  let best = { specificity: -1, quality: 0 };
  for (const part of accept.split(',')) {
    const [range = '', ...parameters] = part.split(';').map((one) => one.trim().toLowerCase());
    const specificity = ranges.indexOf(range);
    if (specificity <= best.specificity) continue;
    best = { specificity, quality: qualityOf(parameters) };
  }
  return best.quality > 0;
}

function qualityOf(parameters: readonly string[]): number {
  const q = parameters.find((one) => one.startsWith('q='));
  const quality = q === undefined ? 1 : Number(q.slice(2));
  return Number.isFinite(quality) ? quality : 1;
}

/** Throws one error with all violations of the headers `Prefer` and `Idempotency-Key`, and of the body or the query. */
export function checkShape(request: FastifyRequest, policy: RoutePolicy): void {
  // A dry run does not use the key.
  const isDry = policy.dryRun && dryRunOf(request.headers) === 'yes';
  const violations = [
    ...preferenceViolations(request, policy),
    ...(isDry ? [] : keyViolations(request, policy)),
    ...violationsOf(request, policy),
  ];
  if (violations.length > 0) throw shapeError(violations);
}

/** An operation has either a body or a query. A missing body counts as an empty object. */
function violationsOf(request: FastifyRequest, { query, body }: RoutePolicy): readonly Violation[] {
  if (body) {
    request.body = request.body === undefined ? {} : body.prepare(request.body);
    return withPoison(body.violations(request.body), request.call.poison);
  }
  if (!query) return [];
  // Copy, because the parser's object has a prototype of its own.
  const sent = query.prepare({ ...(request.query as object) }) as Record<string, unknown>;
  request.query = sent;
  return query.violations(sent).map((one) => (query.isList(one.path) ? one : orRepeated(one, sent[one.path])));
}

/** The violation of a parameter that accepts one value, or that it was repeated, which its own rule does not know. */
function orRepeated(violation: Violation, sent: unknown): Violation {
  if (!Array.isArray(sent)) return violation;
  return { ...violation, message: `must have one value, but was sent ${sent.length} times` };
}

/** Also refuses fields that poison prototypes where a shape accepts any field. */
function withPoison(violations: readonly Violation[], poison: readonly string[]): readonly Violation[] {
  if (poison.length === 0) return violations;
  const reported = new Set(violations.map(({ path }) => path));
  return [
    ...violations,
    ...poison
      .filter((path) => !reported.has(path))
      .map((path): Violation => ({ path, code: 'unknown-field', message: 'is not accepted by this operation' })),
  ];
}

/**
 * RFC 7240 lets a server ignore a preference that it does not know. A command that is only meant as a test must not be
 * executed, so `dry-run` is refused wherever it has no effect. On a read it has none to begin with.
 */
function preferenceViolations({ headers }: FastifyRequest, { write, dryRun }: RoutePolicy): readonly Violation[] {
  const preference = write ? dryRunOf(headers) : 'no';
  if (preference === 'no' || (preference === 'yes' && dryRun)) return [];
  const message = dryRun ? 'must be dry-run without a value' : NO_DRY_RUN;
  return [{ path: 'Prefer', code: 'invalid-format', message }];
}

const NO_DRY_RUN =
  'must not contain dry-run here, so nothing was executed; only requesting a quote and accepting one support it';

/**
 * A quoted text, or everything from a quote without an end. Without the latter, the search would start again at every
 * escaped quote, which takes seconds for a long header.
 */
const QUOTED = /"(?:[^"\\]|\\.?)*("|$)/g;
const DRY_RUN = /^dry-run\s*(?:=([^;]*))?(?:;.*)?$/i;

/**
 * Whether the client prefers a dry run: the preference `dry-run` (RFC 7240), alone or among others. `with-value`:
 * it has a value, such as `dry-run=true`, which the preference does not define.
 */
export function dryRunOf({ prefer }: IncomingHttpHeaders): 'yes' | 'no' | 'with-value' {
  if (prefer === undefined) return 'no';
  const text = [prefer].flat().join(',');
  // Quoted text is a value of another preference, whatever it contains.
  const preferences = text
    .replace(QUOTED, (quoted, end) => (end === '' ? quoted : quoted === '""' ? '' : '"x"'))
    .split(',')
    .map((preference) => DRY_RUN.exec(preference.trim()))
    .filter((match) => match !== null);
  if (preferences.length === 0) return 'no';
  return preferences.every(([, value = '']) => value.trim() === '') ? 'yes' : 'with-value';
}
