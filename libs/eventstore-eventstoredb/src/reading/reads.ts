import { BACKWARDS, END } from '@eventstore/db-client';
import type { EventStoreDBClient } from '@eventstore/db-client';
import type { NewestOptions, Position, ReadOptions, Recorded } from '@ponte/event-sourcing';
import { categoryOf, EventStoreUnavailable } from '@ponte/event-sourcing';
import type { Connections } from '../connection';
import { isStreamNotFound, readFailure } from '../failures';
import { ForeignEvent } from './foreign-event';
import { Semaphore } from '@ponte/concurrency';
import type { EventStoreDbLimits } from '../options';
import { comparePositions, fromPosition, toPosition } from './position';
import { eventsOf } from './reading';
import { toRecorded } from './recorded';
import { StreamUnusable } from '../stream-unusable';

/**
 * The reads of a process on which decisions depend. They go to the leader, so that they see every acknowledged append.
 */
export class Reads {
  private readonly semaphore: Semaphore;

  constructor(
    private readonly connections: Pick<Connections, 'reads'>,
    private readonly limits: EventStoreDbLimits,
  ) {
    this.semaphore = new Semaphore(limits.readsInFlight);
  }

  /** Throws {@link StreamUnusable} if events are missing at the start or in the middle of the result. */
  async read(stream: string, { from = 0, limit }: ReadOptions): Promise<Recorded[]> {
    try {
      return await this.semaphore.pass(() =>
        this.connections.reads.use(this.limits.readMs, async (client) => {
          const reading = client.readStream(stream, {
            fromRevision: BigInt(from),
            requiresLeader: true,
            ...(limit !== undefined && { maxCount: limit }),
          });
          const events: Recorded[] = [];
          for await (const { event } of eventsOf(reading, this.limits.readMs)) {
            if (!event) continue;
            if (event.revision !== BigInt(from + events.length))
              throw new StreamUnusable(
                stream,
                `shows revision ${event.revision} instead of ${from + events.length}: it was truncated or deleted`,
              );
            events.push(toRecorded(event));
          }
          return events;
        }),
      );
    } catch (error) {
      if (isStreamNotFound(error)) return [];
      if (error instanceof ForeignEvent)
        throw new StreamUnusable(stream, `has at revision ${error.revision} an event that this system did not write`);
      throw readFailure(error, stream);
    }
  }

  /** Reads backwards from the leader's end of the log, or from `before`, and skips events of other categories. */
  async newest({ categories, limit, before }: NewestOptions): Promise<Recorded[]> {
    try {
      return await this.semaphore.pass(() =>
        this.connections.reads.use(this.limits.readMs, (client) =>
          newestOf(client, this.limits.readMs, { categories, limit, before }),
        ),
      );
    } catch (error) {
      throw error instanceof EventStoreUnavailable ? error : readFailure(error);
    }
  }

  /** The leader's end of the log. */
  async head(): Promise<Position | undefined> {
    try {
      return await this.connections.reads.use(this.limits.readMs, (client) => endOf(client, this.limits.readMs, true));
    } catch (error) {
      throw error instanceof EventStoreUnavailable ? error : readFailure(error);
    }
  }
}

/** The end of the log on the client's node. The server transfers its last event for this. */
export async function endOf(
  client: EventStoreDBClient,
  ms: number,
  requiresLeader: boolean,
): Promise<Position | undefined> {
  const reading = client.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 1, requiresLeader });
  for await (const { event } of eventsOf(reading, ms)) if (event) return toPosition(event.position);
  return undefined;
}

/** The largest number of events scanned from the end of the log; the result may then be shorter than requested. */
const MAX_SCANNED = 200_000;

async function newestOf(
  client: EventStoreDBClient,
  ms: number,
  { categories, limit, before }: NewestOptions,
): Promise<Recorded[]> {
  const fromPositionOrEnd = before === undefined ? END : fromPosition(before);
  const reading = client.readAll({ direction: BACKWARDS, fromPosition: fromPositionOrEnd, requiresLeader: true });
  const found: Recorded[] = [];
  let scanned = 0;
  for await (const { event } of eventsOf(reading, ms)) {
    if ((scanned += 1) > MAX_SCANNED) break;
    if (!event || !categories.includes(categoryOf(event.streamId))) continue;
    if (before !== undefined && comparePositions(toPosition(event.position), before) >= 0) continue;
    found.push(toRecorded(event));
    if (found.length === limit) break;
  }
  return found;
}
