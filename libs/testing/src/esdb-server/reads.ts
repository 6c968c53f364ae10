import { randomUUID } from 'node:crypto';
import type { ServerWritableStream } from '@grpc/grpc-js';
import { status } from '@grpc/grpc-js';
import { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb';
import type { EsdbLog } from './log';
import type { Entry } from './wire';
import { failure, identifierOf, streamOf } from './wire';

/** Events go out as they were encoded when they were appended, everything else as a message. */
export type ReadReply = ReadResp | Buffer;
export type ReadCall = ServerWritableStream<ReadReq, ReadReply>;
/** The subscriptions there are: one that is stalled stays open and sends nothing any more. */
export type Subscriptions = Map<ReadCall, { stalled: boolean }>;
type Options = ReadReq.Options;
type Filter = (entry: Entry) => boolean;

const BACKWARDS = ReadReq.Options.ReadDirection.BACKWARDS;
/** Events looked at between two checkpoints when the client names no window. */
const DEFAULT_WINDOW = 32;

/** Everything that reads: a stream or `$all`, once or as a subscription. */
export async function read(log: EsdbLog, call: ReadCall, subscriptions: Subscriptions): Promise<void> {
  const options = call.request.getOptions();
  if (!options) return void call.emit('error', failure(status.INVALID_ARGUMENT, 'the request has no options'));
  const source = options.hasStream() ? streamSource(log, options) : allSource(log, options);
  if (options.hasSubscription()) return subscribe(log, call, options, source, subscriptions);
  if (source.missing !== undefined) {
    call.write(new ReadResp().setStreamNotFound(new ReadResp.StreamNotFound().setStreamIdentifier(identifierOf(source.missing))));
    return void call.end();
  }
  const wanted = filterOf(options);
  const step = options.getReadDirection() === BACKWARDS ? -1 : 1;
  let left = BigInt(options.getCount());
  for (let at = source.start; left > 0n && !call.cancelled; at += step) {
    const entry = source.at(at);
    if (!entry) break;
    if (!wanted(entry)) continue;
    left -= 1n;
    await send(call, entry.encoded);
  }
  call.end();
}

interface Source {
  /** Where to begin, an index that `at` understands. */
  readonly start: number;
  readonly at: (index: number) => Entry | undefined;
  /** The stream's name when it does not exist. */
  readonly missing?: string;
}

/** A subscription begins behind the place it names, a read at it. */
function streamSource(log: EsdbLog, options: Options): Source {
  const from = options.getStream();
  const name = streamOf(from?.getStreamIdentifier());
  const head = log.head(name);
  const at = (revision: number): Entry | undefined => (revision < 0 ? undefined : log.at(name, revision));
  const missing = head < 0 ? name : undefined;
  if (from?.hasEnd()) return { start: options.hasSubscription() ? head + 1 : head, at, missing };
  if (!from?.hasRevision()) return { start: 0, at, missing };
  const revision = Number(from.getRevision()) + (options.hasSubscription() ? 1 : 0);
  return { start: options.getReadDirection() === BACKWARDS ? Math.min(revision, head) : revision, at, missing };
}

function allSource(log: EsdbLog, options: Options): Source {
  const from = options.getAll();
  const at = (index: number): Entry | undefined => (index < 0 ? undefined : log.byIndex(index));
  const backwards = options.getReadDirection() === BACKWARDS;
  if (from?.hasEnd()) return { start: log.length - (backwards ? 1 : 0), at };
  if (!from?.hasPosition()) return { start: 0, at };
  const position = BigInt(from.getPosition()?.getCommitPosition() ?? '0');
  if (backwards) return { start: log.indexFrom(position) - 1, at };
  return { start: log.indexFrom(options.hasSubscription() ? position + 1n : position), at };
}

async function subscribe(
  log: EsdbLog, call: ReadCall, options: Options, { start, at }: Source, subscriptions: Subscriptions,
): Promise<void> {
  const wanted = filterOf(options);
  const filter = options.getFilter();
  const every = filter ? Math.max(1, filter.getCheckpointintervalmultiplier()) * (filter.getMax() || DEFAULT_WINDOW) : Infinity;
  let wake = (): void => undefined;
  const ring = (): void => wake();
  const state = { stalled: false };
  subscriptions.set(call, state);
  log.events.on('grown', ring);
  call.on('cancelled', ring).on('error', ring);
  // Nothing may be written behind an error: the client would never hear of it.
  const open = (): boolean => !call.cancelled && subscriptions.has(call);
  try {
    await send(call, new ReadResp().setConfirmation(new ReadResp.SubscriptionConfirmation().setSubscriptionId(randomUUID())));
    let [next, seen, live] = [start, 0, false];
    while (open()) {
      for (let entry = at(next); entry && open() && !state.stalled; entry = at(next)) {
        next += 1;
        seen += 1;
        if (wanted(entry)) await send(call, entry.encoded);
        if (seen % every === 0 && open()) await send(call, checkpoint(entry));
      }
      if (!live && open()) {
        live = true;
        await send(call, new ReadResp().setCaughtUp(new ReadResp.CaughtUp()));
      } else if (open() && (state.stalled || !at(next))) {
        await new Promise<void>((resolve) => { wake = resolve; });
      }
    }
  } finally {
    log.events.off('grown', ring);
    subscriptions.delete(call);
  }
}

const checkpoint = ({ position }: Entry): ReadResp =>
  new ReadResp().setCheckpoint(new ReadResp.Checkpoint().setCommitPosition(String(position)).setPreparePosition(String(position)));

function filterOf(options: Options): Filter {
  const filter = options.getFilter();
  if (!filter) return () => true;
  const expression = filter.getStreamIdentifier() ?? filter.getEventType();
  const text = filter.hasStreamIdentifier() ? (entry: Entry) => entry.stream : (entry: Entry) => entry.type;
  const prefixes = expression?.getPrefixList() ?? [];
  if (prefixes.length > 0) return (entry) => prefixes.some((prefix) => text(entry).startsWith(prefix));
  const pattern = new RegExp(expression?.getRegex() ?? '');
  return (entry) => pattern.test(text(entry));
}

/** Waits for a slow reader, until it goes away. */
async function send(call: ReadCall, reply: ReadReply): Promise<void> {
  if (call.write(reply) || call.cancelled) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      for (const event of ['drain', 'cancelled', 'error', 'close']) call.off(event, done);
      resolve();
    };
    for (const event of ['drain', 'cancelled', 'error', 'close']) call.on(event, done);
  });
}
