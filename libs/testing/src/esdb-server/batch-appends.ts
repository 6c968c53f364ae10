import type { ServerDuplexStream } from '@grpc/grpc-js';
import { status } from '@grpc/grpc-js';
import { Code } from '@eventstore/db-client/generated/code_pb';
import {
  AllStreamPosition,
  BadRequest,
  MaximumAppendSizeExceeded,
  StreamDeleted,
  Timeout,
  WrongExpectedVersion,
} from '@eventstore/db-client/generated/shared_pb';
import { Status } from '@eventstore/db-client/generated/status_pb';
import type { BatchAppendReq } from '@eventstore/db-client/generated/streams_pb';
import { BatchAppendResp } from '@eventstore/db-client/generated/streams_pb';
import { Any } from 'google-protobuf/google/protobuf/any_pb';
import { Empty } from 'google-protobuf/google/protobuf/empty_pb';
import type { AppendParts } from './appends';
import { excess, expectation, isBad, MAX_APPEND_BYTES, unsigned } from './appends';
import type { Expected, Outcome } from './log';
import type { Proposed } from './wire';
import { failure, idOf, identifierOf, proposedOf, streamOf } from './wire';

type BatchCall = ServerDuplexStream<BatchAppendReq, BatchAppendResp>;
interface Batch {
  readonly options: BatchAppendReq.Options;
  readonly events: Proposed[];
}

/**
 * Handles a call with many appends. Replies carry the correlation id, in the order in which appends became complete.
 */
export function batchAppend(parts: AppendParts, call: BatchCall): void {
  const open = new Map<string, Batch>();
  /** Number of appends received minus number of replies sent. */
  let balance = 0;
  let isHalfClosed = false;
  let isEnded = false;
  call.on('error', () => undefined);
  // EventStoreDB ends a half-closed call only if a reply is still to be written.
  call.on('end', () => {
    isHalfClosed = true;
  });
  call.on(
    'data',
    (request: BatchAppendReq) =>
      void take(request).catch((error: Error) => call.emit('error', failure(status.INTERNAL, error.message))),
  );

  async function take(request: BatchAppendReq): Promise<void> {
    const id = idOf(request.getCorrelationId());
    const options = request.getOptions();
    const batch = open.get(id) ?? (options && { options, events: [] });
    if (!batch)
      return void call.emit('error', failure(status.INVALID_ARGUMENT, 'an append must begin with its options'));
    open.set(id, batch);
    batch.events.push(...request.getProposedMessagesList().map(proposedOf));
    if (!request.getIsFinal()) return;
    open.delete(id);
    balance += 1;
    const answered = new BatchAppendResp()
      .setCorrelationId(request.getCorrelationId())
      .setStreamIdentifier(batch.options.getStreamIdentifier());
    say(await appendBatch(parts, batch, answered));
  }

  /**
   * After a half-close, the first reply that leaves the balance at 0 or more is the last. Other appends get no reply.
   */
  function say(answer: BatchAppendResp): void {
    if (isEnded) return;
    call.write(answer);
    balance -= 1;
    if (!isHalfClosed || balance < 0) return;
    isEnded = true;
    call.end();
  }
}

async function appendBatch(
  { log, now, kept, maxEventBytes, commits }: AppendParts,
  { options, events }: Batch,
  answered: BatchAppendResp,
): Promise<BatchAppendResp> {
  const stream = streamOf(options.getStreamIdentifier());
  const until = options.getDeadline()?.toDate().getTime() ?? Infinity;
  if (until < now() || !commits())
    return answered.setError(statusOf('Timeout', 'event_store.client.Timeout', new Timeout().serializeBinary()));
  if (isBad(stream, events))
    return answered.setError(
      statusOf('Bad Request', 'event_store.client.BadRequest', new BadRequest().serializeBinary()),
    );
  if (excess(events, maxEventBytes)) return answered.setError(sizeError());
  const expected: Expected = options.hasStreamPosition() ? Number(options.getStreamPosition()) : expectation(options);
  const outcome = log.append(stream, expected, events, now());
  await log.durable();
  kept();
  return batchAnswer(answered, stream, expected, outcome);
}

function batchAnswer(answered: BatchAppendResp, stream: string, expected: Expected, outcome: Outcome): BatchAppendResp {
  if (outcome.kind === 'kept') {
    const position = new AllStreamPosition()
      .setCommitPosition(String(outcome.position))
      .setPreparePosition(String(outcome.position));
    return answered.setSuccess(
      new BatchAppendResp.Success().setCurrentRevision(unsigned(outcome.revision)).setPosition(position),
    );
  }
  if (outcome.kind === 'deleted') {
    return answered.setError(
      statusOf(
        'deleted',
        'event_store.client.StreamDeleted',
        new StreamDeleted().setStreamIdentifier(identifierOf(stream)).serializeBinary(),
      ),
    );
  }
  const wrong = new WrongExpectedVersion();
  if (outcome.current < 0) wrong.setCurrentNoStream(new Empty());
  else wrong.setCurrentStreamRevision(String(outcome.current));
  if (typeof expected === 'number') wrong.setExpectedStreamPosition(String(expected));
  else if (expected === 'no-stream') wrong.setExpectedNoStream(new Empty());
  else wrong.setExpectedStreamExists(new Empty());
  return answered.setError(
    statusOf('wrong expected version', 'event_store.client.WrongExpectedVersion', wrong.serializeBinary()),
  );
}

const sizeError = (): Status =>
  statusOf(
    'too large',
    'event_store.client.MaximumAppendSizeExceeded',
    new MaximumAppendSizeExceeded().setMaxappendsize(MAX_APPEND_BYTES).serializeBinary(),
  );

function statusOf(message: string, type: string, detail: Uint8Array): Status {
  const details = new Any();
  details.pack(detail, type);
  return new Status().setCode(Code.FAILED_PRECONDITION).setMessage(message).setDetails(details);
}
