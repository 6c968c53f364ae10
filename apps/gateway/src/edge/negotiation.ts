import type { FastifyRequest } from 'fastify';
import { ApiError } from '../errors/api-error';
import { isRepeated } from './json-body';

/** As many header lines as are looked at (name and value stand apart in `rawHeaders`). */
const MAX_RAW_HEADERS = 200;

/** Headers that decide who asks and what is done, so that two of them are one too many: a proxy may have believed the other. */
const SENT_ONCE = ['authorization', 'x-api-key', 'idempotency-key'];

/** Refuses what HTTP lets through and this edge does not want: before credentials, since it costs nothing. */
export function checkHeaders(request: FastifyRequest): void {
  const { headers, raw } = request;
  if (raw.rawHeaders.length > MAX_RAW_HEADERS) throw new ApiError('headers-too-large');
  // HTTP/1.1 demands a host; the server leaves the check to us so that the answer has our envelope.
  if (headers.host === undefined && raw.httpVersion === '1.1') throw new ApiError('malformed-request');
  if (SENT_ONCE.some((name) => isRepeated(raw.rawHeaders, name))) throw new ApiError('malformed-request');
  if (headers['content-encoding'] !== undefined && headers['content-encoding'] !== 'identity') throw new ApiError('unsupported-media-type');
  if (request.routeOptions.config.policy?.json && !acceptsJson(headers.accept)) throw new ApiError('not-acceptable');
}

/** A path with nothing where a resource's id belongs is no route of ours, though the router lets it through. */
export function checkPath({ params }: FastifyRequest): void {
  for (const value of Object.values(params as Record<string, string>)) if (value === '') throw new ApiError('route-not-found');
}

/** Whether an Accept header leaves room for application/json: the most specific range that covers it decides. An empty one says nothing. */
export function acceptsJson(accept: string | undefined): boolean {
  if (accept === undefined || accept === '' || accept === '*/*' || accept === 'application/json') return true;
  let best = { specificity: -1, quality: 0 };
  for (const part of accept.split(',')) {
    const [range = '', ...parameters] = part.split(';').map((one) => one.trim().toLowerCase());
    const specificity = RANGES.indexOf(range);
    if (specificity <= best.specificity) continue;
    best = { specificity, quality: qualityOf(parameters) };
  }
  return best.quality > 0;
}

const RANGES = ['*/*', 'application/*', 'application/json'];

function qualityOf(parameters: readonly string[]): number {
  const q = parameters.find((one) => one.startsWith('q='));
  const quality = q === undefined ? 1 : Number(q.slice(2));
  return Number.isFinite(quality) ? quality : 1;
}
