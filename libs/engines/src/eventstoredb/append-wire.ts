import { randomUUID } from 'node:crypto';
import type { Position } from '@eventstore/db-client';
import { StreamIdentifier, UUID, WrongExpectedVersion } from '@eventstore/db-client/generated/shared_pb';
import type { Status } from '@eventstore/db-client/generated/status_pb';
import type { BatchAppendResp } from '@eventstore/db-client/generated/streams_pb';
import { BatchAppendReq } from '@eventstore/db-client/generated/streams_pb';
import { Empty } from 'google-protobuf/google/protobuf/empty_pb';
import { Timestamp } from 'google-protobuf/google/protobuf/timestamp_pb';

/** An event as it goes out: its texts are written when the append is asked for, so that the caller may go on with its objects. */
export interface EventOnWire { readonly id: string; readonly type: string; readonly data: Buffer; readonly metadata: Buffer }

export interface AppendOnWire {
  readonly stream: string;
  /** Undefined: the stream must not exist. */
  readonly revision: number | undefined;
  readonly events: readonly EventOnWire[];
  /** Epoch milliseconds, after which the server need not begin. */
  readonly until: number;
}

export interface AppendedOnWire { readonly revision: number; readonly position: Position | undefined }

/** What the server says to an append that it did not keep, in the client's own words; `type` is absent where nobody knows what became of it. */
export class AppendRefused extends Error {
  override readonly name = 'AppendRefused';
  constructor(readonly type: string | undefined, message: string, readonly actualVersion?: bigint | 'no_stream') { super(message); }
}

export const requestId = (): string => randomUUID();

/** One request is one append, however many its events. */
export function appendRequest(id: string, { stream, revision, events, until }: AppendOnWire): BatchAppendReq {
  const options = new BatchAppendReq.Options()
    .setStreamIdentifier(new StreamIdentifier().setStreamName(Buffer.from(stream, 'utf8')))
    .setDeadline(Timestamp.fromDate(new Date(until)));
  // Never "any": only with a revision does the server promise that a repeated append is kept once.
  if (revision === undefined) options.setNoStream(new Empty());
  else options.setStreamPosition(String(revision));
  return new BatchAppendReq().setCorrelationId(uuid(id)).setOptions(options).setProposedMessagesList(events.map(proposed)).setIsFinal(true);
}

function proposed({ id, type, data, metadata }: EventOnWire): BatchAppendReq.ProposedMessage {
  const message = new BatchAppendReq.ProposedMessage().setId(uuid(id)).setData(data).setCustomMetadata(metadata);
  message.getMetadataMap().set('type', type).set('content-type', 'application/json');
  return message;
}

const uuid = (text: string): UUID => new UUID().setString(text);

/** Which request it answers. */
export function answeredId(answer: BatchAppendResp): string {
  const id = answer.getCorrelationId();
  const parts = id?.getStructured();
  if (!parts) return id?.getString() ?? '';
  const [most, least] = [parts.getMostSignificantBits(), parts.getLeastSignificantBits()].map((half) => BigInt.asUintN(64, BigInt(half)).toString(16).padStart(16, '0'));
  return `${most}${least}`.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Throws {@link AppendRefused}. */
export function readAnswer(answer: BatchAppendResp): AppendedOnWire {
  const error = answer.getError();
  if (error) throw refusalOf(error);
  const success = answer.getSuccess();
  if (!success) throw new AppendRefused(undefined, 'an answer that is none');
  const position = success.getPosition();
  return {
    revision: Number(success.getCurrentRevision()),
    position: position && { commit: BigInt(position.getCommitPosition()), prepare: BigInt(position.getPreparePosition()) },
  };
}

/** The kind of failure stands in the name of what the status carries. */
function refusalOf(status: Status): AppendRefused {
  const details = status.getDetails();
  const kind = details?.getTypeName() ?? '';
  switch (kind) {
    case 'event_store.client.WrongExpectedVersion': {
      const wrong = details?.unpack((bytes) => WrongExpectedVersion.deserializeBinary(bytes), kind);
      const actual = wrong?.hasCurrentStreamRevision() ? BigInt(wrong.getCurrentStreamRevision()) : 'no_stream';
      return new AppendRefused('wrong-expected-version', 'another revision', actual);
    }
    case 'event_store.client.MaximumAppendSizeExceeded': return new AppendRefused('maximum-append-size-exceeded', 'too large');
    case 'event_store.client.AccessDenied': return new AppendRefused('access-denied', 'access denied');
    case 'event_store.client.StreamDeleted': return new AppendRefused('stream-deleted', 'the stream was deleted');
    default: return new AppendRefused(undefined, `the server says ${kind || status.getCode()}`);
  }
}
