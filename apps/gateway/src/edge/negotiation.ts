import type { FastifyRequest } from 'fastify';
import { ApiError } from '../errors/api-error';

/** As many header lines as are looked at (name and value stand apart in `rawHeaders`). */
const MAX_RAW_HEADERS = 200;

/** Refuses what HTTP lets through and this edge does not want: before credentials, since it costs nothing. */
export function checkHeaders(request: FastifyRequest): void {
  const { headers, raw } = request;
  if (raw.rawHeaders.length > MAX_RAW_HEADERS) throw new ApiError('headers-too-large');
  // HTTP/1.1 demands a host; the server leaves the check to us so that the answer has our envelope.
  if (headers.host === undefined && raw.httpVersion === '1.1') throw new ApiError('malformed-request');
  if (headers['content-encoding'] !== undefined && headers['content-encoding'] !== 'identity') throw new ApiError('unsupported-media-type');
  if (request.routeOptions.config.policy && !acceptsJson(headers.accept)) throw new ApiError('not-acceptable');
}

/** Whether an Accept header leaves room for application/json: the most specific range that covers it decides. */
export function acceptsJson(accept: string | undefined): boolean {
  if (accept === undefined || accept === '*/*' || accept === 'application/json') return true;
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
