import type { AllStreamResolvedEvent, AllStreamSubscription, EventStoreDBClient, Filter } from '@eventstore/db-client';
import { START, streamNameFilter } from '@eventstore/db-client';
import type { Position, Recorded } from '@ponte/event-sourcing';
import { categoryOf } from '@ponte/event-sourcing';
import type { EngineLogger } from '../log';
import { safeError } from '../log';
import { Bell } from './bell';
import { isLasting } from './failures';
import { comparePositions, fromPosition, toPosition } from './position';
import { toRecorded } from './recorded';

/** A step forward in the log: an event, or only a place behind which nothing was wanted so far. */
export interface Step {
  readonly position: Position;
  readonly event?: Recorded;
}

export interface FeedParts {
  readonly client: EventStoreDBClient;
  readonly logger: EngineLogger;
  readonly resubscribeMs: readonly number[];
  readonly categories: readonly string[] | undefined;
  /** Steps kept for a consumer that is busy; then the server is made to wait. */
  readonly capacity: number;
  /** Rung when there is something to take, or an end. */
  readonly bell: Bell;
}

/** Events that the server looks at in one go, and between two checkpoints. */
const SEARCH_WINDOW = 256;

/** A checkpoint among the events, in the order in which the server sent both. */
interface Mark { readonly checkpoint: { readonly commit: bigint; readonly prepare: bigint } }

/**
 * A catch-up subscription that comes back. The server may end one at any time, and the client does not open it again: this
 * does, behind the last step that it got, so that none is left out and none comes twice.
 */
export class Feed {
  private readonly steps: Step[] = [];
  private readonly room = new Bell();
  private readonly rest = new Bell();
  private readonly stopping = new AbortController();
  private readonly filter: Filter;
  private subscription: AllStreamSubscription | undefined;
  private failures = 0;
  /** Why it will not come back. */
  failure: unknown;
  readonly ended: Promise<void>;

  constructor(private readonly parts: FeedParts, private last: Position | undefined) {
    this.filter = filterOf(parts.categories);
    this.ended = this.run();
  }

  get size(): number { return this.steps.length; }

  /** Place of the last step received. */
  get received(): Position | undefined { return this.last; }

  take(limit: number): Step[] {
    const taken = this.steps.splice(0, limit);
    this.room.ring();
    return taken;
  }

  /** Opens the subscription anew: this one has shown that it is no good. */
  renew(): void {
    this.subscription?.destroy(new Error('the subscription fell silent'));
  }

  close(): void {
    this.stopping.abort();
    this.subscription?.destroy();
    this.room.ring();
    this.rest.ring();
    this.parts.bell.ring();
  }

  private get stopped(): boolean { return this.stopping.signal.aborted; }

  private async run(): Promise<void> {
    while (!this.stopped) {
      try {
        await this.follow();
      } catch (error) {
        if (this.stopped) return;
        if (isLasting(error) || error instanceof TypeError || error instanceof ForeignEvent) {
          this.failure = error;
          this.parts.bell.ring();
          return;
        }
        this.parts.logger.warn({ error: safeError(error), after: this.last }, 'a subscription to the event store ended and is opened again');
      }
      if (!this.stopped) await this.pause();
    }
  }

  private async follow(): Promise<void> {
    const subscription = this.subscribe();
    this.subscription = subscription;
    // The client tells of an error by emitting it, which does not end the stream.
    subscription.on('error', (error) => { subscription.destroy(error); });
    try {
      for await (const received of subscription as AsyncIterable<AllStreamResolvedEvent | Mark>) {
        this.failures = 0;
        this.add(stepOf(received));
        while (this.steps.length >= this.parts.capacity && !this.stopped) await this.room.wait();
        if (this.stopped) return;
      }
    } finally {
      subscription.unsubscribe().catch(() => undefined);
    }
  }

  private add(step: Step | undefined): void {
    if (!step || (this.last !== undefined && comparePositions(step.position, this.last) <= 0)) return;
    this.last = step.position;
    const before = this.steps.at(-1);
    // Places without events say nothing that the last of them does not say.
    if (before && !before.event && !step.event) this.steps.pop();
    this.steps.push(step);
    this.parts.bell.ring();
  }

  private subscribe(): AllStreamSubscription {
    const after = this.last === undefined ? START : fromPosition(this.last);
    return this.parts.client.subscribeToAll({ fromPosition: after, filter: this.filter });
  }

  private async pause(): Promise<void> {
    const { resubscribeMs } = this.parts;
    const ms = resubscribeMs[Math.min(this.failures, resubscribeMs.length - 1)] ?? 0;
    this.failures += 1;
    await this.rest.wait(ms);
  }
}

/** An event in one of our streams that is not ours to read. */
class ForeignEvent extends Error {
  override readonly name = 'ForeignEvent';
}

/** A category ends at the first dash. Without any, everything but the server's own streams. */
function filterOf(categories: readonly string[] | undefined): Filter {
  const options = {
    maxSearchWindow: SEARCH_WINDOW,
    checkpointInterval: 1,
    // Put among the events, so that it is taken for reached only when those before it were.
    checkpointReached: (subscription: AllStreamSubscription, checkpoint: Mark['checkpoint']) => { subscription.push({ checkpoint }); },
  };
  if (!categories) return streamNameFilter({ ...options, regex: '^[^$]' });
  return streamNameFilter({ ...options, prefixes: categories.map((category) => `${category}-`) });
}

function stepOf(received: AllStreamResolvedEvent | Mark): Step | undefined {
  if ('checkpoint' in received) return { position: toPosition(received.checkpoint) };
  if (!received.event) return undefined;
  try {
    const event = toRecorded(received.event);
    return { position: event.position, event };
  } catch (error) {
    throw new ForeignEvent('the subscription met an event that it cannot read', { cause: error });
  }
}

/** Whether a subscription with these categories gets the events of a stream. */
export const wants = (categories: readonly string[] | undefined, stream: string): boolean =>
  !stream.startsWith('$') && (!categories || categories.includes(categoryOf(stream)));
