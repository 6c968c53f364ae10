import { AppendOutcomeUnknown, EventStoreUnavailable, NO_STREAM, WrongExpectedRevision } from '@ponte/event-sourcing';
import { NotSent } from './not-sent';
import { StreamUnusable } from './stream-unusable';
import { TimedOut } from '@ponte/concurrency';

/** An error of the client with a `type`, one of grpc with a `code`, or both. */
interface ClientError {
  readonly type?: string;
  readonly code?: number;
  readonly message?: string;
  readonly actualVersion?: bigint | 'no_stream';
}

/** A failure of the store as it is logged. */
interface ReportedFailure {
  /** The gRPC status. */
  readonly code?: number;
  /** The client's name of the error. */
  readonly type?: string;
  /** The server's message. */
  readonly text: string;
}

/** The status of an invalid argument, for which a retry is useless. */
const CALLERS_CODE = 3;
/** Statuses returned before the append has any effect: permission denied, unimplemented, unauthenticated. */
const REFUSED_CODES = new Set([7, 12, 16]);
/** The server checked the append, refused it and wrote nothing. */
const REFUSED_TYPES = new Set([
  'not-leader',
  'access-denied',
  'invalid-transaction',
  'missing-required-metadata-property',
]);
/** Messages of the client for a call that was never sent, and of a server that accepts no work. */
const NOTHING_KEPT =
  /No connection established|Name resolution failed|Failed to discover|closed before call|Server Is Not Ready|Server Is Too Busy|[Nn]o leader info/;
/**
 * The type or message of a request that is too large. Its status, 8, does not show that: requests in progress also get
 * it if the server ends their connection because of too many requests, and these may have been written.
 */
const TOO_LARGE = /^maximum-append|Maximum Append|maximum configured message size|message (with a size )?larger than/;
/** Caller errors and definite results: another node or another client would return the same. */
const SETTLED_TYPES = new Set([
  'wrong-expected-version',
  'stream-deleted',
  'stream-not-found',
  'maximum-append-size-exceeded',
  'access-denied',
  'invalid-transaction',
]);
const SETTLED_CODES = new Set([2, 3, 7, 12, 16]);
/** The server does not accept the user, or does not know its users yet. */
const ACCESS_CODES = new Set([7, 16]);
const MAX_TEXT = 300;

const read = (error: unknown): ClientError => (typeof error === 'object' && error !== null ? error : {});

/** Describes a failure of the store in one line without secrets. */
export function reportedFailure(error: unknown): ReportedFailure {
  const cause =
    error instanceof Error &&
    (error instanceof NotSent || error instanceof EventStoreUnavailable || error instanceof AppendOutcomeUnknown)
      ? error.cause
      : undefined;
  if (cause !== undefined) return reportedFailure(cause);
  const { type, code, message } = read(error);
  const text = (message ?? (error instanceof Error ? error.name : typeof error)).split('\n')[0] ?? '';
  return {
    ...(code !== undefined && { code }),
    ...(type !== undefined && { type }),
    text: text.replace(/\/\/[^/@\s]*@/g, '//').slice(0, MAX_TEXT),
  };
}

const inWords = (error: unknown): string => {
  const { code, type, text } = reportedFailure(error);
  return [code === undefined ? undefined : `code ${code}`, type, text].filter((part) => part !== undefined).join(', ');
};

/**
 * Converts an append's error. It is converted to `EventStoreUnavailable` or a caller error only if certainly nothing
 * was written. Any other error means that the outcome is unknown, because a caller that mistakes a completed append for
 * a failed one repeats its effect.
 */
export function appendFailure(stream: string, expected: number, error: unknown): Error {
  const { type, code, message = '', actualVersion } = read(error);
  if (type === 'wrong-expected-version') {
    return new WrongExpectedRevision(
      stream,
      expected,
      typeof actualVersion === 'bigint' ? Number(actualVersion) : NO_STREAM,
    );
  }
  if (error instanceof NotSent)
    return new EventStoreUnavailable(`the append was not sent: ${inWords(error)}`, { cause: error });
  if (TOO_LARGE.test(type ?? '') || TOO_LARGE.test(message))
    return new RangeError(`the append to ${stream} is larger than the event store accepts (${inWords(error)})`);
  if (type === 'stream-deleted') return new StreamUnusable(stream, 'was deleted permanently (it has a tombstone)');
  if (code === CALLERS_CODE)
    return new TypeError(`the event store rejected the append to ${stream} as invalid (${inWords(error)})`);
  const refused = (type !== undefined && REFUSED_TYPES.has(type)) || (code !== undefined && REFUSED_CODES.has(code));
  if (refused || NOTHING_KEPT.test(message))
    return new EventStoreUnavailable(`the event store did not accept the append (${inWords(error)})`, { cause: error });
  return withReason(new AppendOutcomeUnknown(stream, { cause: error }), error);
}

function withReason(unknown: AppendOutcomeUnknown, error: unknown): AppendOutcomeUnknown {
  unknown.message = `${unknown.message} (${inWords(error)})`;
  return unknown;
}

export const isStreamNotFound = (error: unknown): boolean => read(error).type === 'stream-not-found';

/** Whether another node might succeed: no response, "not ready", no leader, a broken connection. */
export const asksForAnotherNode = (error: unknown): boolean => {
  if (error instanceof TimedOut) return true;
  const { type, code, message = '' } = read(error);
  if (NOTHING_KEPT.test(message)) return true;
  if (TOO_LARGE.test(message)) return false;
  if (type === undefined && code === undefined) return false;
  return !(type !== undefined && SETTLED_TYPES.has(type)) && !(code !== undefined && SETTLED_CODES.has(code));
};

/** The position is between two records, so it belongs to another log. */
export const isForeignPosition = (error: unknown): boolean => read(error).code === 3;

/** The user lacks the permission, or the node does not know its users yet. */
export const isAccessRefusal = (error: unknown): boolean =>
  ACCESS_CODES.has(read(error).code ?? -1) || read(error).type === 'access-denied';

/**
 * Translates a driver's error of a read: StreamUnusable for a deleted stream, otherwise EventStoreUnavailable.
 */
export function readFailure(error: unknown, stream?: string): Error {
  if (error instanceof EventStoreUnavailable || error instanceof StreamUnusable) return error;
  if (stream !== undefined && read(error).type === 'stream-deleted')
    return new StreamUnusable(stream, 'was deleted permanently (it has a tombstone)');
  return new EventStoreUnavailable(`the event store cannot be read (${inWords(error)})`, { cause: error });
}
