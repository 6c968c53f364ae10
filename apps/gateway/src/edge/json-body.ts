import { isUtf8 } from 'node:buffer';
import type { FastifyRequest } from 'fastify';
import { ApiError, shapeError } from '../errors/api-error';

type Done = (error: Error | null, body?: unknown) => void;
type TextParser = (request: FastifyRequest, body: string, done: Done) => void;

/** As deep as a body may be nested. */
const MAX_DEPTH = 32;
const [BRACE, BRACKET] = [123, 91];

/**
 * Parses a JSON body: UTF-8, without the members that poison prototypes (`parseText` is Fastify's own parser, told to
 * refuse them), at most 32 levels deep. Keeps the bytes, which a signed token hashes. An empty body is none.
 */
export const jsonBody = (parseText: TextParser) => (request: FastifyRequest, body: Buffer, done: Done): void => {
  if (isRepeated(request.raw.rawHeaders, 'content-type')) return done(new ApiError('unsupported-media-type'));
  request.call.rawBody = body;
  if (body.length === 0) return done(null, undefined);
  if (!isUtf8(body)) return done(new ApiError('malformed-json'));
  parseText(request, body.toString('utf8'), (error, value) => {
    if (error) return done(new ApiError('malformed-json'));
    if (mayBeDeep(body) && isDeeperThan(value, MAX_DEPTH)) {
      return done(shapeError([{ path: '', code: 'invalid-format', message: `JSON may be nested at most ${MAX_DEPTH} levels deep` }]));
    }
    done(null, value);
  });
};

/** Fewer opening brackets than levels allowed cannot be too deep; nearly every body is done here. */
function mayBeDeep(body: Buffer): boolean {
  let opened = 0;
  for (const byte of body) if (byte === BRACE || byte === BRACKET) opened += 1;
  return opened > MAX_DEPTH;
}

/** Level by level and not by recursion, so that depth cannot exhaust the stack. */
function isDeeperThan(value: unknown, levels: number): boolean {
  let containers = [value].filter(isContainer);
  for (let level = 1; level <= levels; level += 1) containers = containers.flatMap((one) => Object.values(one).filter(isContainer));
  return containers.length > 0;
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Node keeps the first of two equal headers; which of them a proxy believed is not known. */
function isRepeated(rawHeaders: readonly string[], name: string): boolean {
  let seen = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) if (rawHeaders[i]?.length === name.length && rawHeaders[i]?.toLowerCase() === name) seen += 1;
  return seen > 1;
}
