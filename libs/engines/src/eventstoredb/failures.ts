import { AppendOutcomeUnknown, EventStoreUnavailable, NO_STREAM, WrongExpectedRevision } from '@ponte/event-sourcing';

/** What the client throws: an error of its own with a `type`, or grpc's with a `code`, or both. */
interface ClientError {
  readonly type?: string;
  readonly code?: number;
  readonly message?: string;
  readonly actualVersion?: bigint | 'no_stream';
}

/** Refusals by the server: it judged the append and kept nothing. */
const REFUSED_TYPES = new Set(['not-leader', 'access-denied', 'stream-deleted', 'invalid-transaction', 'missing-required-metadata-property']);
/** Statuses of grpc that come before the append does anything: invalid argument, permission denied, unimplemented, unauthenticated. */
const REFUSED_CODES = new Set([3, 7, 12, 16]);
/** The client's words when a call never left, because there was no connection for it. */
const NEVER_SENT = /No connection established|Name resolution failed|Failed to discover/;

const read = (error: unknown): ClientError => (typeof error === 'object' && error !== null ? error : {});

/**
 * What an append's error means. Only what certainly kept nothing is called unavailable; whatever is not understood is
 * unknown, since a caller that takes a kept append for a lost one does the thing twice.
 */
export function appendFailure(stream: string, expected: number, error: unknown): Error {
  const { type, code, message = '', actualVersion } = read(error);
  if (type === 'wrong-expected-version') {
    return new WrongExpectedRevision(stream, expected, typeof actualVersion === 'bigint' ? Number(actualVersion) : NO_STREAM);
  }
  if (type === 'maximum-append-size-exceeded') return new RangeError(`the append to ${stream} is larger than the event store takes`);
  const refused = (type !== undefined && REFUSED_TYPES.has(type)) || (code !== undefined && REFUSED_CODES.has(code));
  if (refused || NEVER_SENT.test(message)) return new EventStoreUnavailable(`the event store did not take the append (${type ?? code})`, { cause: error });
  return new AppendOutcomeUnknown(stream, { cause: error });
}

export const isStreamNotFound = (error: unknown): boolean => read(error).type === 'stream-not-found';

/** Errors that another attempt meets again: the user may not read, or the position is not one of this log. */
export const isLasting = (error: unknown): boolean => {
  const { type, code } = read(error);
  return type === 'access-denied' || (code !== undefined && REFUSED_CODES.has(code));
};

export function readFailure(error: unknown): EventStoreUnavailable {
  if (error instanceof EventStoreUnavailable) return error;
  const { type, code } = read(error);
  return new EventStoreUnavailable(`the event store cannot be read (${type ?? code ?? 'unexpected'})`, { cause: error });
}
