import type { JSONEventData } from '@eventstore/db-client';
import type { Appended, EventToAppend, Position } from '@ponte/event-sourcing';
import { categoryOf, EventStoreUnavailable, NO_STREAM, KeyedMutex } from '@ponte/event-sourcing';
import type { Connections } from './connection';
import { appendFailure } from './failures';
import { Semaphore, withTimeout } from '@ponte/concurrency';
import { NotSent } from './not-sent';
import type { EventStoreDbLimits } from './options';
import { comparePositions, toPosition } from './reading/position';
import { toWire } from './reading/recorded';

/** An append with less time left is not sent, because its outcome would probably be unknown. */
const MIN_SEND_MS = 20;
/** gRPC ends a call at its deadline. The timer, which fires this much later, covers the time before the call starts. */
const GRACE_MS = 250;

interface Waiting {
  readonly stream: string;
  readonly expected: number;
  readonly events: JSONEventData[];
  readonly deadline: number;
}

/** The appends of a process: one call each, one at a time per stream, with a limit on parallel calls. */
export class Appends {
  /** Appends of this process to one stream are sent one by one, because concurrent calls may overtake each other. */
  private readonly mutex = new KeyedMutex();
  private readonly semaphore: Semaphore;
  private readonly pending = new Set<Promise<unknown>>();
  /** For each category, the position of the last event that this store wrote. */
  private readonly written = new Map<string, Position>();

  constructor(
    private readonly connections: Pick<Connections, 'appends' | 'credentials'>,
    private readonly limits: EventStoreDbLimits,
  ) {
    this.semaphore = new Semaphore(limits.inFlight);
  }

  async append(stream: string, expected: number, given: readonly EventToAppend[]): Promise<Appended> {
    if (given.length === 0) throw new TypeError('an append needs at least one event');
    if (!Number.isSafeInteger(expected) || expected < NO_STREAM)
      throw new RangeError('an expected revision must be NO_STREAM or a whole number of 0 or more');
    if (this.pending.size >= this.limits.waiting)
      throw new EventStoreUnavailable('too many appends are waiting for the event store');
    const waiting = {
      stream,
      expected,
      events: toWire(stream, given),
      deadline: performance.now() + this.limits.appendMs,
    };
    const appending = this.mutex.take(stream, () => this.semaphore.pass(() => this.send(waiting)));
    const settled = appending.then(
      () => undefined,
      () => undefined,
    );
    this.pending.add(settled);
    void settled.then(() => this.pending.delete(settled));
    return appending;
  }

  /** Resolves when every append so far has its outcome. */
  async settled(): Promise<void> {
    await Promise.all(this.pending);
  }

  /** The last acknowledged position in these categories that this store wrote. */
  lastWritten(categories: readonly string[] | undefined): Position | undefined {
    let last: Position | undefined;
    for (const category of categories ?? this.written.keys()) {
      const position = this.written.get(category);
      if (position !== undefined && (last === undefined || comparePositions(last, position) < 0)) last = position;
    }
    return last;
  }

  private async send({ stream, expected, events, deadline }: Waiting): Promise<Appended> {
    const left = (): number => Math.floor(deadline - performance.now());
    if (left() < MIN_SEND_MS) throw new EventStoreUnavailable('the append waited too long in the queue');
    try {
      return await this.connections.appends.use(left(), async (client) => {
        const ms = left();
        if (ms < MIN_SEND_MS) throw new NotSent(new Error('the append timed out while waiting for a connection'));
        // Never "any": the server deduplicates a repeated append only if it states a revision.
        const expectedRevision = expected === NO_STREAM ? 'no_stream' : BigInt(expected);
        const { credentials } = this.connections;
        const kept = await withTimeout(
          ms + GRACE_MS,
          client.appendToStream(stream, events, { expectedRevision, requiresLeader: true, deadline: ms, credentials }),
        );
        return this.noteWritten(stream, {
          revision: Number(kept.nextExpectedRevision),
          position: toPosition(kept.position),
        });
      });
    } catch (error) {
      throw appendFailure(stream, expected, error);
    }
  }

  private noteWritten(stream: string, appended: Appended): Appended {
    const category = categoryOf(stream);
    const before = this.written.get(category);
    if (before === undefined || comparePositions(before, appended.position) < 0)
      this.written.set(category, appended.position);
    return appended;
  }
}
