import { isUtf8 } from 'node:buffer';
import type { FastifyRequest } from 'fastify';
import { ApiError, shapeError } from '../errors/api-error';
import { MAX_BODY_BYTES } from '../server/limits';
import { poisonousFields, repeatedFields } from './json-fields';

type Done = (error: Error | null, body?: unknown) => void;
type TextParser = (request: FastifyRequest, body: string, done: Done) => void;

/** The largest nesting depth of a body. */
const MAX_DEPTH = 32;
const [BRACE, BRACKET, COMMA, QUOTE, BACKSLASH, COLON] = [123, 91, 44, 34, 92, 58];
/** A string longer than this is searched for its end, not read byte by byte: an upload is almost all one string. */
const LONG_TEXT = 256;
/** The most commas and brackets in a body above the usual limit: a million small values would take seconds to parse. */
const MAX_PARTS_OF_LARGE = 1_000;

/**
 * Parses a JSON body: UTF-8, at most 32 levels deep, without repeated fields (another program might use the first of
 * two). Fields that poison prototypes, which `parseText`, Fastify's own parser, is configured to refuse, are recorded
 * for validation. Keeps the raw bytes, whose hash a signed token contains. An empty body counts as absent.
 */
export const jsonBody =
  (parseText: TextParser) =>
  (request: FastifyRequest, body: Buffer, done: Done): void => {
    if (isRepeated(request.raw.rawHeaders, 'content-type')) return done(new ApiError('unsupported-media-type'));
    request.call.rawBody = body;
    if (body.length === 0) return done(null, undefined);
    if (!isUtf8(body)) return done(new ApiError('malformed-json'));
    if (body.length > MAX_BODY_BYTES && hasTooManyParts(body)) return done(new ApiError('body-too-large'));
    const text = body.toString('utf8');
    const checkParsed: Done = (error, parsed) => {
      const value = error ? parseUnfiltered(text) : parsed;
      if (value === undefined) return done(new ApiError('malformed-json'));
      if (mayBeTooDeep(body) && isDeeperThan(value, MAX_DEPTH)) {
        return done(
          shapeError([
            { path: '', code: 'invalid-format', message: `JSON may be nested at most ${MAX_DEPTH} levels deep` },
          ]),
        );
      }
      if (hasRepeatedField(body, value))
        return done(
          shapeError(
            repeatedFields(text).map((path) => ({ path, code: 'malformed-json', message: 'must be sent once' })),
          ),
        );
      if (error) request.call.poison = poisonousFields(value);
      done(null, value);
    };
    if (MAY_POISON.test(text)) parseText(request, text, checkParsed);
    else checkParsed(null, parseUnfiltered(text));
  };

/**
 * Matches the names that poison prototypes, an escape that may hide one, and the byte order mark that Fastify's parser
 * skips. Hardly any body contains one of them.
 */
const MAY_POISON = /[\\\ufeff]|__proto__|constructor/;

/**
 * Parses what Fastify's parser refused as poisonous; undefined if it is not JSON. `JSON.parse` alone is safe: it makes
 * even `__proto__` an ordinary field.
 */
function parseUnfiltered(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function hasTooManyParts(body: Buffer): boolean {
  let parts = 0;
  for (const byte of body) if (byte === COMMA || byte === BRACE || byte === BRACKET) parts += 1;
  return parts > MAX_PARTS_OF_LARGE;
}

/** A quick check that decides nearly every body: with too few opening brackets it cannot be too deep. */
function mayBeTooDeep(body: Buffer): boolean {
  let opened = 0;
  for (const byte of body) if (byte === BRACE || byte === BRACKET) opened += 1;
  return opened > MAX_DEPTH;
}

/** Works level by level instead of recursively, so that deep nesting cannot exhaust the stack. */
function isDeeperThan(value: unknown, levels: number): boolean {
  let containers = [value].filter(isContainer);
  for (let level = 1; level <= levels; level += 1)
    containers = containers.flatMap((one) => Object.values(one).filter(isContainer));
  return containers.length > 0;
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

/**
 * Whether well-formed JSON repeats a field: it then has more colons outside its strings than its value has fields.
 */
export const hasRepeatedField = (json: Buffer, value: unknown): boolean => countColons(json) !== countFields(value);

function countColons(json: Buffer): number {
  let colons = 0;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === QUOTE) at = endOfText(json, at);
    else if (byte === COLON) colons += 1;
  }
  return colons;
}

/** The index of the closing quote of the string that starts at `start`. */
function endOfText(json: Buffer, start: number): number {
  for (let at = start + 1; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) at += 1;
    else if (at - start === LONG_TEXT) {
      const end = json.indexOf(QUOTE, at);
      if (end !== -1 && json[end - 1] !== BACKSLASH) return end;
    }
  }
  return json.length;
}

function countFields(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let fields = 0;
  if (Array.isArray(value)) {
    for (const item of value) fields += countFields(item);
    return fields;
  }
  for (const item of Object.values(value)) fields += 1 + countFields(item);
  return fields;
}

/** Whether a header is sent more than once. Node keeps only the first, and a proxy may have used another one. */
export function isRepeated(rawHeaders: readonly string[], name: string): boolean {
  let seen = 0;
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]?.length === name.length && rawHeaders[i]?.toLowerCase() === name) seen += 1;
  return seen > 1;
}
