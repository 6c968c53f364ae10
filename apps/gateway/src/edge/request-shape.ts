import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Violation } from '@ponte/kernel';
import { MAX_BODY_BYTES } from '../server/adapter';
import type { RoutePolicy } from './request-context';

/** An operation has a body or a query, never both. A body that was not sent is an empty one. */
export function violationsOf(request: FastifyRequest, { query, body }: RoutePolicy): readonly Violation[] {
  if (body) {
    request.body = request.body === undefined ? {} : body.prepare(request.body);
    return withPoison(body.violations(request.body), request.call.poison);
  }
  if (!query) return [];
  // The parser's object has a prototype of its own.
  const sent = query.prepare({ ...(request.query as object) }) as Record<string, unknown>;
  request.query = sent;
  return query
    .violations(sent)
    .map((one) =>
      one.code === 'invalid-type' && Array.isArray(sent[one.path]) ? { ...one, message: 'must be sent once' } : one,
    );
}

/** Where a shape lets any member in, those that poison prototypes still are none. */
function withPoison(violations: readonly Violation[], poison: readonly string[]): readonly Violation[] {
  if (poison.length === 0) return violations;
  const reported = new Set(violations.map(({ path }) => path));
  return [
    ...violations,
    ...poison
      .filter((path) => !reported.has(path))
      .map((path): Violation => ({ path, code: 'unknown-field', message: 'is not a member of this request' })),
  ];
}

/**
 * What a request asks for: its body, on the resources of its path. The account acted on is left out, since an
 * idempotency key's scope has it, and the path of a v0 route has not.
 */
export function requestOf({ params, body, call }: FastifyRequest, { reach }: RoutePolicy): unknown {
  const { accountId, ...others } = params as Record<string, string>;
  return {
    body: call.upload ? withHashes(body as Readonly<Record<string, unknown>>) : (body ?? null),
    params: reach === 'account' || accountId === undefined ? others : { ...others, accountId },
  };
}

/** A file takes part by its SHA-256: as a text it would be copied several times. */
const withHashes = (body: Readonly<Record<string, unknown>>): unknown =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      typeof value === 'string' && value.length > MAX_BODY_BYTES
        ? createHash('sha256').update(value).digest('hex')
        : value,
    ]),
  );
