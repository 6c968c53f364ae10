import type { sendUnaryData, ServerReadableStream, ServerUnaryCall, ServiceError } from '@grpc/grpc-js';
import { status } from '@grpc/grpc-js';
import { Empty } from '@eventstore/db-client/generated/shared_pb';
import type { AppendReq, DeleteReq, TombstoneReq } from '@eventstore/db-client/generated/streams_pb';
import { AppendResp, DeleteResp, TombstoneResp } from '@eventstore/db-client/generated/streams_pb';
import type { EsdbLog, Expected, Outcome } from './log';
import type { Proposed } from './wire';
import { eventTooLarge, failure, proposedOf, streamDeleted, streamOf, thrownByHandler, tooLarge } from './wire';

export interface AppendParts {
  readonly log: EsdbLog;
  readonly now: () => number;
  /** Called after an append took effect and before its reply. */
  readonly kept: () => void;
  /** `--max-append-event-size` of EventStoreDB, in bytes. */
  readonly maxEventBytes: number;
  /** False while appends have no effect because another node leads. They then time out. */
  readonly commits: () => boolean;
}

type AppendCall = ServerReadableStream<AppendReq, AppendResp>;

/** EventStoreDB's default limit for one append. */
export const MAX_APPEND_BYTES = 1_048_576;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

const bytesOf = ({ data, metadata, type }: Proposed): number => data.length + metadata.length + Buffer.byteLength(type);
const sizeOf = (events: readonly Proposed[]): number => events.reduce((sum, event) => sum + bytesOf(event), 0);

/** Converts a revision to the protocol's unsigned form. A stream that stays empty has revision -1. */
export const unsigned = (revision: number): string => String(BigInt.asUintN(64, BigInt(revision)));

/** Whether EventStoreDB treats the append as a mistake of the caller. */
export const isBad = (stream: string, events: readonly Proposed[]): boolean =>
  stream === '' || events.some(({ id, type }) => !type || !UUID.test(id));

/** The size limit that an append exceeds. */
export function excess(events: readonly Proposed[], maxEventBytes: number): 'append' | 'event' | undefined {
  if (events.some((event) => bytesOf(event) > maxEventBytes)) return 'event';
  return sizeOf(events) > MAX_APPEND_BYTES ? 'append' : undefined;
}

/** Handles a call with one append. A call that ends early has no effect. */
export function append(
  { log, now, kept, maxEventBytes, commits }: AppendParts,
  call: AppendCall,
  reply: sendUnaryData<AppendResp>,
): void {
  let options: AppendReq.Options | undefined;
  let hasTypes = true;
  const events: Proposed[] = [];
  call.on('error', () => undefined);
  call.on('data', (request: AppendReq) => {
    const message = request.getProposedMessage();
    if (message) {
      hasTypes &&= message.getMetadataMap().has('type');
      events.push(proposedOf(message));
    } else options = request.getOptions();
  });
  call.on('end', () => void complete().catch((error: Error) => reply(failure(status.INTERNAL, error.message))));

  async function complete(): Promise<void> {
    if (!options) return reply(failure(status.INVALID_ARGUMENT, 'an append must begin with its options'));
    const stream = streamOf(options.getStreamIdentifier());
    if (!hasTypes) return reply(failure(status.INVALID_ARGUMENT, "Required Metadata Property 'type' is missing"));
    if (isBad(stream, events)) return reply(thrownByHandler());
    const over = excess(events, maxEventBytes);
    if (over) return reply(over === 'event' ? eventTooLarge(maxEventBytes) : tooLarge(MAX_APPEND_BYTES));
    if (!commits()) return reply(failure(status.ABORTED, 'Operation timed out: CommitTimeout'));
    const expected: Expected = options.hasRevision() ? Number(options.getRevision()) : expectation(options);
    const outcome = log.append(stream, expected, events, now());
    await log.durable();
    kept();
    if (outcome.kind === 'deleted') reply(streamDeleted(stream));
    else reply(null, answer(expected, outcome));
  }
}

function answer(expected: Expected, outcome: Exclude<Outcome, { kind: 'deleted' }>): AppendResp {
  if (outcome.kind === 'kept') {
    const position = new AppendResp.Position()
      .setCommitPosition(String(outcome.position))
      .setPreparePosition(String(outcome.position));
    return new AppendResp().setSuccess(
      new AppendResp.Success().setCurrentRevision(unsigned(outcome.revision)).setPosition(position),
    );
  }
  const wrong = new AppendResp.WrongExpectedVersion();
  if (outcome.current < 0) wrong.setCurrentNoStream(new Empty());
  else wrong.setCurrentRevision(String(outcome.current));
  if (typeof expected === 'number') wrong.setExpectedRevision(String(expected));
  else if (expected === 'no-stream') wrong.setExpectedNoStream(new Empty());
  else wrong.setExpectedStreamExists(new Empty());
  return new AppendResp().setWrongExpectedVersion(wrong);
}

export function expectation(options: { hasNoStream(): boolean; hasStreamExists(): boolean }): Expected {
  if (options.hasNoStream()) return 'no-stream';
  return options.hasStreamExists() ? 'stream-exists' : 'any';
}

/** Soft-deletes a stream: a `$tb` rule in its metadata hides all its events. */
export async function softDelete(
  { log, now }: AppendParts,
  call: ServerUnaryCall<DeleteReq, DeleteResp>,
  reply: sendUnaryData<DeleteResp>,
): Promise<void> {
  const stream = streamOf(call.request.getOptions()?.getStreamIdentifier());
  const rule = {
    id: '00000000-0000-4000-8000-000000000001',
    type: '$metadata',
    contentType: 'application/json',
    metadata: Buffer.from(''),
  };
  log.append(
    `$$${stream}`,
    'any',
    [{ ...rule, data: Buffer.from(JSON.stringify({ $tb: Number.MAX_SAFE_INTEGER })) }],
    now(),
  );
  await log.durable();
  reply(null, new DeleteResp());
}

/** Deletes a stream permanently. */
export async function tombstone(
  { log, now }: AppendParts,
  call: ServerUnaryCall<TombstoneReq, TombstoneResp>,
  reply: (error: ServiceError | null, answer?: TombstoneResp) => void,
): Promise<void> {
  const stream = streamOf(call.request.getOptions()?.getStreamIdentifier());
  const outcome = log.tombstone(stream, now());
  await log.durable();
  if (outcome.kind === 'deleted') reply(streamDeleted(stream));
  else reply(null, new TombstoneResp());
}
