import { status } from '@grpc/grpc-js';
import { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb';
import type { LogView } from './log-view';
import type { ReadCall, Source } from './read-call';
import { send } from './read-call';
import type { Subscriptions } from './subscriptions';
import { subscribe } from './subscriptions';
import { failure, identifierOf, streamDeleted, streamOf } from './wire';

type Options = ReadReq.Options;

const BACKWARDS = ReadReq.Options.ReadDirection.BACKWARDS;
const MAX_POSITION = 2n ** 63n;

interface ReadParts {
  readonly log: LogView;
  readonly now: () => number;
  readonly subscriptions: Subscriptions;
}

/** Handles reads and subscriptions of a stream or of `$all`. A subscription starts after its position, a read at it. */
export async function read({ log, now, subscriptions }: ReadParts, call: ReadCall): Promise<void> {
  const options = call.request.getOptions();
  if (!options) return void call.emit('error', failure(status.INVALID_ARGUMENT, 'the request has no options'));
  const wrong = options.hasAll() ? wrongPosition(log, options) : undefined;
  if (wrong) return void call.emit('error', wrong);
  const source = options.hasStream() ? streamSource(log, options, now()) : allSource(log, options);
  if (source.deleted !== undefined) return void call.emit('error', streamDeleted(source.deleted));
  if (options.hasSubscription()) return subscribe(log, call, options, source, subscriptions);
  if (source.missing !== undefined) {
    call.write(
      new ReadResp().setStreamNotFound(new ReadResp.StreamNotFound().setStreamIdentifier(identifierOf(source.missing))),
    );
    return void call.end();
  }
  if (BigInt(options.getCount()) === 0n) {
    // As in EventStoreDB, a read of a stream fails, and a read of $all never ends.
    if (options.hasStream()) call.emit('error', failure(status.INVALID_ARGUMENT, 'maxCount must be positive'));
    return;
  }
  const step = options.getReadDirection() === BACKWARDS ? -1 : 1;
  let left = BigInt(options.getCount());
  for (let at = source.start; left > 0n && at >= source.first && at < source.end() && !call.cancelled; at += step) {
    const entry = source.at(at);
    if (!entry) continue;
    left -= 1n;
    await send(call, entry.encoded);
  }
  call.end();
}

function streamSource(log: LogView, options: Options, nowMs: number): Source {
  const from = options.getStream();
  const name = streamOf(from?.getStreamIdentifier());
  if (name === '') throw new Error('the stream name must not be empty');
  const [head, first] = [log.head(name), log.first(name, nowMs)];
  const source = {
    first,
    end: () => log.head(name) + 1,
    at: (revision: number) => log.at(name, revision),
    missing: first > head ? name : undefined,
    deleted: log.isTombstoned(name) ? name : undefined,
  };
  if (from?.hasEnd()) return { ...source, start: options.hasSubscription() ? head + 1 : head };
  if (!from?.hasRevision()) return { ...source, start: first };
  const revision = Number(from.getRevision()) + (options.hasSubscription() ? 1 : 0);
  return {
    ...source,
    start: options.getReadDirection() === BACKWARDS ? Math.min(revision, head) : Math.max(revision, first),
  };
}

function allSource(log: LogView, options: Options): Source {
  const from = options.getAll();
  const source = { first: 0, end: () => log.length, at: (index: number) => log.byIndex(index) };
  const backwards = options.getReadDirection() === BACKWARDS;
  if (from?.hasEnd()) return { ...source, start: log.length - (backwards ? 1 : 0) };
  if (!from?.hasPosition()) return { ...source, start: 0 };
  const position = BigInt(from.getPosition()?.getCommitPosition() ?? '0');
  if (backwards) return { ...source, start: log.indexFrom(position) - 1 };
  return { ...source, start: log.indexFrom(options.hasSubscription() ? position + 1n : position) };
}

function wrongPosition(log: LogView, options: Options): Error | undefined {
  const named = options.getAll()?.getPosition();
  if (!named) return undefined;
  const position = BigInt(named.getCommitPosition());
  if (position >= MAX_POSITION) return failure(status.UNKNOWN, 'Exception was thrown by handler.');
  if (log.isOfThisLog(position)) return undefined;
  if (options.hasSubscription())
    return failure(status.INVALID_ARGUMENT, `Invalid position C:${position}/P:${position}.`);
  return failure(status.UNKNOWN, 'Unexpected ReadAllResult: InvalidPosition');
}
