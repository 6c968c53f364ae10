import type { ServiceError } from '@grpc/grpc-js';
import { Metadata, status } from '@grpc/grpc-js';
import type { UUID } from '@eventstore/db-client/generated/shared_pb';
import { StreamIdentifier, UUID as Uuid } from '@eventstore/db-client/generated/shared_pb';
import type { AppendReq, BatchAppendReq } from '@eventstore/db-client/generated/streams_pb';
import { ReadResp } from '@eventstore/db-client/generated/streams_pb';

/** An event as a client sends it. */
export interface Proposed {
  readonly id: string;
  readonly type: string;
  readonly contentType: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

/** An event of the log, with its encoded message for readers. */
export interface Entry {
  readonly id: string;
  readonly stream: string;
  readonly revision: number;
  /** Commit and prepare position, which are the same for events outside old-style transactions. */
  readonly position: number;
  readonly type: string;
  readonly createdMs: number;
  readonly encoded: Buffer;
  readonly data: () => Uint8Array;
}

interface Place {
  readonly stream: string;
  readonly revision: number;
  readonly position: number;
  readonly nowMs: number;
}

const RecordedEvent = ReadResp.ReadEvent.RecordedEvent;
/** The protocol counts time in tenths of a microsecond since 1970. */
const TICKS_PER_MS = 10_000n;

export const identifierOf = (stream: string): StreamIdentifier =>
  new StreamIdentifier().setStreamName(Buffer.from(stream, 'utf8'));

export const streamOf = (identifier: StreamIdentifier | undefined): string =>
  Buffer.from(identifier?.getStreamName_asU8() ?? []).toString('utf8');

/** The client sends ids as text; the form with two integers is not supported. The server stores lower case. */
export const idOf = (uuid: UUID | undefined): string => (uuid?.getString() ?? '').toLowerCase();

export function proposedOf(message: AppendReq.ProposedMessage | BatchAppendReq.ProposedMessage): Proposed {
  const described = message.getMetadataMap();
  return {
    id: idOf(message.getId()),
    type: described.get('type') ?? '',
    contentType: described.get('content-type') ?? '',
    data: message.getData_asU8(),
    metadata: message.getCustomMetadata_asU8(),
  };
}

export function encodeEntry(event: Proposed, { stream, revision, position, nowMs }: Place): Entry {
  const record = new RecordedEvent()
    .setId(new Uuid().setString(event.id))
    .setStreamIdentifier(identifierOf(stream))
    .setStreamRevision(String(revision))
    .setCommitPosition(String(position))
    .setPreparePosition(String(position))
    .setData(event.data)
    .setCustomMetadata(event.metadata);
  record
    .getMetadataMap()
    .set('type', event.type)
    .set('content-type', event.contentType)
    .set('created', String(BigInt(nowMs) * TICKS_PER_MS));
  const read = new ReadResp.ReadEvent().setEvent(record).setCommitPosition(String(position));
  const encoded = Buffer.from(new ReadResp().setEvent(read).serializeBinary());
  return {
    id: event.id,
    stream,
    revision,
    position,
    type: event.type,
    createdMs: nowMs,
    encoded,
    data: () => event.data,
  };
}

export function decodeEntry(encoded: Buffer): Entry {
  const record = ReadResp.deserializeBinary(encoded).getEvent()?.getEvent();
  if (!record) throw new Error('the log contains a record that is not an event');
  return {
    id: idOf(record.getId()),
    stream: streamOf(record.getStreamIdentifier()),
    revision: Number(record.getStreamRevision()),
    position: Number(record.getCommitPosition()),
    type: record.getMetadataMap().get('type') ?? '',
    createdMs: Number(BigInt(record.getMetadataMap().get('created') ?? '0') / TICKS_PER_MS),
    encoded,
    data: () => record.getData_asU8(),
  };
}

/** An error as EventStoreDB reports it: the cause is in the trailers, not in the code. */
export function failure(code: status, details: string, trailers: Readonly<Record<string, string>> = {}): ServiceError {
  const metadata = new Metadata();
  for (const [key, value] of Object.entries(trailers)) metadata.set(key, value);
  return Object.assign(new Error(details), { code, details, metadata });
}

export const tooLarge = (limit: number): ServiceError =>
  failure(status.INVALID_ARGUMENT, `Maximum Append Size of ${limit} Exceeded.`, {
    exception: 'maximum-append-size-exceeded',
    'maximum-append-size': String(limit),
  });

export const eventTooLarge = (limit: number): ServiceError =>
  failure(status.INVALID_ARGUMENT, `Maximum Append Event Size of ${limit} Exceeded.`, {
    exception: 'maximum-append-event-size-exceeded',
    'maximum-append-event-size': String(limit),
  });

export const notReady = (): ServiceError => failure(status.UNAVAILABLE, 'Server Is Not Ready');

/** The error for an invalid event or stream name, which does not say what is wrong. */
export const thrownByHandler = (): ServiceError => failure(status.UNKNOWN, 'Exception was thrown by handler.');

export const notLeader = ({ host, port }: { readonly host: string; readonly port: number }): ServiceError =>
  failure(status.NOT_FOUND, `Leader info available: ${host}:${port}`, {
    exception: 'not-leader',
    'leader-endpoint-host': host,
    'leader-endpoint-port': String(port),
  });

export const streamDeleted = (stream: string): ServiceError =>
  failure(status.FAILED_PRECONDITION, `Event stream '${stream}' is deleted.`, {
    exception: 'stream-deleted',
    'stream-name': stream,
  });

export const accessDenied = (): ServiceError =>
  failure(status.PERMISSION_DENIED, 'Access Denied', { exception: 'access-denied' });
