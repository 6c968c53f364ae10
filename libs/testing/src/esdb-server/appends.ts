import type { sendUnaryData, ServerDuplexStream, ServerReadableStream } from '@grpc/grpc-js';
import { status } from '@grpc/grpc-js';
import { Code } from '@eventstore/db-client/generated/code_pb';
import { AllStreamPosition, Empty, MaximumAppendSizeExceeded, WrongExpectedVersion } from '@eventstore/db-client/generated/shared_pb';
import { Status } from '@eventstore/db-client/generated/status_pb';
import type { AppendReq, BatchAppendReq } from '@eventstore/db-client/generated/streams_pb';
import { AppendResp, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb';
import { Any } from 'google-protobuf/google/protobuf/any_pb';
import { Empty as NoValue } from 'google-protobuf/google/protobuf/empty_pb';
import type { EsdbLog, Expected, Verdict } from './log';
import type { Proposed } from './wire';
import { failure, idOf, proposedOf, streamOf, tooLarge } from './wire';

export interface AppendParts {
  readonly log: EsdbLog;
  readonly now: () => number;
  /** Runs between the effect and its reply. */
  readonly kept: () => void;
}

type AppendCall = ServerReadableStream<AppendReq, AppendResp>;
type BatchCall = ServerDuplexStream<BatchAppendReq, BatchAppendResp>;

/** What the product takes in one append unless told otherwise. */
export const MAX_APPEND_BYTES = 1_048_576;

const sizeOf = (events: readonly Proposed[]): number => events.reduce((sum, { data, metadata }) => sum + data.length + metadata.length, 0);

/** One call, one append. A call that ends before it is complete has no effect. */
export function append({ log, now, kept }: AppendParts, call: AppendCall, reply: sendUnaryData<AppendResp>): void {
  let options: AppendReq.Options | undefined;
  const events: Proposed[] = [];
  call.on('error', () => undefined);
  call.on('data', (request: AppendReq) => {
    const message = request.getProposedMessage();
    if (message) events.push(proposedOf(message));
    else options = request.getOptions();
  });
  call.on('end', () => void complete().catch((error: Error) => reply(failure(status.INTERNAL, error.message))));

  async function complete(): Promise<void> {
    if (!options) return reply(failure(status.INVALID_ARGUMENT, 'an append begins with its options'));
    if (sizeOf(events) > MAX_APPEND_BYTES) return reply(tooLarge(MAX_APPEND_BYTES));
    const expected: Expected = options.hasRevision() ? Number(options.getRevision()) : expectation(options);
    const verdict = log.append(streamOf(options.getStreamIdentifier()), expected, events, now());
    await log.durable();
    kept();
    reply(null, answer(expected, verdict));
  }
}

function answer(expected: Expected, verdict: Verdict): AppendResp {
  if (verdict.kind === 'kept') {
    const position = new AppendResp.Position().setCommitPosition(String(verdict.position)).setPreparePosition(String(verdict.position));
    return new AppendResp().setSuccess(new AppendResp.Success().setCurrentRevision(String(verdict.revision)).setPosition(position));
  }
  const wrong = new AppendResp.WrongExpectedVersion();
  if (verdict.current < 0) wrong.setCurrentNoStream(new Empty());
  else wrong.setCurrentRevision(String(verdict.current));
  if (typeof expected === 'number') wrong.setExpectedRevision(String(expected));
  else if (expected === 'no-stream') wrong.setExpectedNoStream(new Empty());
  else wrong.setExpectedStreamExists(new Empty());
  return new AppendResp().setWrongExpectedVersion(wrong);
}

/** Many appends on one call, each answered under its correlation id, in the order in which they became complete. */
export function batchAppend({ log, now, kept }: AppendParts, call: BatchCall): void {
  const open = new Map<string, { readonly options: BatchAppendReq.Options; readonly events: Proposed[] }>();
  call.on('error', () => undefined);
  call.on('end', () => call.end());
  call.on('data', (request: BatchAppendReq) => void take(request).catch((error: Error) => call.emit('error', failure(status.INTERNAL, error.message))));

  async function take(request: BatchAppendReq): Promise<void> {
    const id = idOf(request.getCorrelationId());
    const options = request.getOptions();
    const batch = open.get(id) ?? (options && { options, events: [] });
    if (!batch) return void call.emit('error', failure(status.INVALID_ARGUMENT, 'an append begins with its options'));
    open.set(id, batch);
    batch.events.push(...request.getProposedMessagesList().map(proposedOf));
    if (!request.getIsFinal()) return;
    open.delete(id);
    const answered = new BatchAppendResp().setCorrelationId(request.getCorrelationId()).setStreamIdentifier(batch.options.getStreamIdentifier());
    if (sizeOf(batch.events) > MAX_APPEND_BYTES) return void call.write(answered.setError(sizeError()));
    const expected: Expected = batch.options.hasStreamPosition() ? Number(batch.options.getStreamPosition()) : expectation(batch.options);
    const verdict = log.append(streamOf(batch.options.getStreamIdentifier()), expected, batch.events, now());
    await log.durable();
    kept();
    call.write(batchAnswer(answered, expected, verdict));
  }
}

function batchAnswer(answered: BatchAppendResp, expected: Expected, verdict: Verdict): BatchAppendResp {
  if (verdict.kind === 'kept') {
    const position = new AllStreamPosition().setCommitPosition(String(verdict.position)).setPreparePosition(String(verdict.position));
    return answered.setSuccess(new BatchAppendResp.Success().setCurrentRevision(String(verdict.revision)).setPosition(position));
  }
  const wrong = new WrongExpectedVersion();
  if (verdict.current < 0) wrong.setCurrentNoStream(new NoValue());
  else wrong.setCurrentStreamRevision(String(verdict.current));
  if (typeof expected === 'number') wrong.setExpectedStreamPosition(String(expected));
  else if (expected === 'no-stream') wrong.setExpectedNoStream(new NoValue());
  else wrong.setExpectedStreamExists(new NoValue());
  return answered.setError(statusOf('wrong expected version', 'event_store.client.WrongExpectedVersion', wrong.serializeBinary()));
}

const sizeError = (): Status =>
  statusOf('too large', 'event_store.client.MaximumAppendSizeExceeded', new MaximumAppendSizeExceeded().setMaxappendsize(MAX_APPEND_BYTES).serializeBinary());

function statusOf(message: string, type: string, detail: Uint8Array): Status {
  const details = new Any();
  details.pack(detail, type);
  return new Status().setCode(Code.FAILED_PRECONDITION).setMessage(message).setDetails(details);
}

function expectation(options: { hasNoStream(): boolean; hasStreamExists(): boolean }): Expected {
  if (options.hasNoStream()) return 'no-stream';
  return options.hasStreamExists() ? 'stream-exists' : 'any';
}
