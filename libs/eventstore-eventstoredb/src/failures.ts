import { AppendOutcomeUnknown, EventStoreUnavailable, NO_STREAM, WrongExpectedRevision } from '@ponte/event-sourcing';
import { NotSent } from './not-sent';
import { StreamUnusable } from './stream-unusable';
import { TimedOut } from './time-out';

/** What the client throws: an error of its own with a `type`, or grpc's with a `code`, or both. */
interface ClientError {
  readonly type?: string;
  readonly code?: number;
  readonly message?: string;
  readonly details?: string;
  readonly actualVersion?: bigint | 'no_stream';
}

/** What a line of the log says of a failure of the store. */
export interface ReportedFailure {
  /** The status of gRPC. */
  readonly code?: number;
  /** The client's name for it. */
  readonly type?: string;
  /** The server's words. */
  readonly text: string;
}

/** The caller's errors: no repetition helps. Invalid argument, and a request beyond what the server receives at all. */
const CALLERS_CODES = new Set([3, 8]);
/** Statuses that come before the append does anything: permission denied, unimplemented, unauthenticated. */
const REFUSED_CODES = new Set([7, 12, 16]);
/** Refusals by the server: it judged the append and kept nothing. */
const REFUSED_TYPES = new Set([
  'not-leader',
  'access-denied',
  'invalid-transaction',
  'missing-required-metadata-property',
]);
/** Words of the client for a call that never left, and of a server that takes no work. */
const NOTHING_KEPT =
  /No connection established|Name resolution failed|Failed to discover|closed before call|Server Is Not Ready|Server Is Too Busy|[Nn]o leader info/;
const TOO_LARGE = /^maximum-append|Maximum Append/;
/** The caller's doing, or settled: another node or another client would say the same. */
const SETTLED_TYPES = new Set([
  'wrong-expected-version',
  'stream-deleted',
  'stream-not-found',
  'maximum-append-size-exceeded',
  'access-denied',
  'invalid-transaction',
]);
const SETTLED_CODES = new Set([2, 3, 7, 8, 12, 16]);
/** What says that the server does not accept the user, or not yet. */
const ACCESS_CODES = new Set([7, 16]);
const MAX_TEXT = 300;

const read = (error: unknown): ClientError => (typeof error === 'object' && error !== null ? error : {});

/** Why the store failed, in one line without secrets. */
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
 * What an append's error means. Only what certainly kept nothing is called unavailable or the caller's error; whatever
 * is not understood is unknown, since a caller that takes a kept append for a lost one does the thing twice.
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
  if (TOO_LARGE.test(type ?? '') || TOO_LARGE.test(message) || code === 8)
    return new RangeError(`the append to ${stream} is larger than the event store accepts (${inWords(error)})`);
  if (type === 'stream-deleted') return new StreamUnusable(stream, 'was deleted permanently (it has a tombstone)');
  if (code !== undefined && CALLERS_CODES.has(code))
    return new TypeError(`the event store rejected the append to ${stream} as invalid (${inWords(error)})`);
  const refused = (type !== undefined && REFUSED_TYPES.has(type)) || (code !== undefined && REFUSED_CODES.has(code));
  if (refused || NOTHING_KEPT.test(message))
    return new EventStoreUnavailable(`the event store did not accept the append (${inWords(error)})`, { cause: error });
  return withReason(new AppendOutcomeUnknown(stream, { cause: error }), error);
}

/** The outcome is unknown, and why. */
function withReason(unknown: AppendOutcomeUnknown, error: unknown): AppendOutcomeUnknown {
  unknown.message = `${unknown.message} (${inWords(error)})`;
  return unknown;
}

export const isStreamNotFound = (error: unknown): boolean => read(error).type === 'stream-not-found';

/** Whether a node that is elsewhere might do better: silence, "not ready", no leader, a broken connection. */
export const asksForAnotherNode = (error: unknown): boolean => {
  if (error instanceof TimedOut) return true;
  const { type, code, message = '' } = read(error);
  if (NOTHING_KEPT.test(message)) return true;
  if (type === undefined && code === undefined) return false;
  return !(type !== undefined && SETTLED_TYPES.has(type)) && !(code !== undefined && SETTLED_CODES.has(code));
};

/** A position that lies between two records: the reader's log is another one. */
export const isForeignPosition = (error: unknown): boolean => read(error).code === 3;

/** The user may not do it, or the node does not know its users yet. */
export const isAccessRefusal = (error: unknown): boolean =>
  ACCESS_CODES.has(read(error).code ?? -1) || read(error).type === 'access-denied';

export function readFailure(error: unknown, stream?: string): Error {
  if (error instanceof EventStoreUnavailable || error instanceof StreamUnusable) return error;
  if (stream !== undefined && read(error).type === 'stream-deleted')
    return new StreamUnusable(stream, 'was deleted permanently (it has a tombstone)');
  return new EventStoreUnavailable(`the event store cannot be read (${inWords(error)})`, { cause: error });
}
