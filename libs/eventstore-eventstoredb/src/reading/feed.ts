import type {
  AllStreamResolvedEvent,
  AllStreamSubscription,
  EventStoreDBClient,
  Filter,
  ReadPosition,
} from '@eventstore/db-client';
import { START, streamNameFilter } from '@eventstore/db-client';
import type { Position, Recorded } from '@ponte/event-sourcing';
import { categoryOf } from '@ponte/event-sourcing';
import { Signal } from '@ponte/concurrency';
import { ForeignEvent } from './foreign-event';
import { fromPosition, isNoPosition, toPosition } from './position';
import { toRecorded } from './recorded';

/** A step in the log: an event, or only a position. `category` is absent for a position and for server events. */
export interface Step {
  readonly position: Position;
  readonly category?: string;
  readonly event?: Recorded;
  /** Set instead of `event` for an event that this system did not write. */
  readonly foreign?: ForeignEvent;
}

/** Status messages of a subscription among its events. */
type Word = 'caught-up' | 'fell-behind';
export type Item = Step | Word;

/** A checkpoint or status message, inserted among the events in the order in which the server sent them. */
type Mark = { readonly checkpoint: { readonly commit: bigint; readonly prepare: bigint } } | { readonly word: Word };

/** Number of events that the server scans between two checkpoints. */
const SEARCH_WINDOW = 256;

interface FeedOptions {
  readonly client: EventStoreDBClient;
  readonly after: Position | undefined;
  /** Without a filter, all events of `$all` are delivered, including the server's own. */
  readonly filter?: { readonly categories: readonly string[] | undefined };
  /** Number of items buffered for a busy consumer, above which the server must wait. */
  readonly capacity: number;
}

/** One subscription of `$all`, read in batches. It ends once and does not reconnect. */
export class Feed {
  private readonly signal = new Signal();
  private readonly subscription: AllStreamSubscription;
  private isClosed = false;
  /** The reason why it ended. */
  failure: unknown;

  constructor({ client, after, filter, capacity }: FeedOptions) {
    const begin: ReadPosition = after === undefined ? START : fromPosition(after);
    const options = { fromPosition: begin, ...(filter && { filter: filterOf(filter.categories) }) };
    const subscription = (this.subscription = client.subscribeToAll(options, { highWaterMark: capacity }));
    const say = (word: Word) => (): void => {
      subscription.push({ word } satisfies Mark);
    };
    // The client emits `end` and `error` without ending the stream as Node's own streams do.
    subscription
      .on('caughtUp', say('caught-up'))
      .on('fellBehind', say('fell-behind'))
      .on('error', (error) => this.fail(error))
      .on('end', () => this.fail(new Error('the server ended the subscription')))
      .on('close', () => this.fail(new Error('the subscription was closed')))
      .on('readable', () => this.signal.wakeAll());
  }

  /** True if no more items will be added to those that can be taken. */
  get isEnded(): boolean {
    return this.failure !== undefined || this.isClosed;
  }

  /** The received items in order, up to the limit. */
  take(limit: number): Item[] {
    const items: Item[] = [];
    while (items.length < limit && !this.isClosed) {
      const received = this.subscription.read() as AllStreamResolvedEvent | Mark | null;
      if (received === null) break;
      const item = itemOf(received);
      if (item) items.push(item);
    }
    return items;
  }

  /** Resolves when there may be something to take, the feed has ended, or it is nudged. */
  async wait(): Promise<void> {
    if (this.isEnded || this.subscription.readableLength > 0) return;
    await this.signal.wait();
    // Events arrive one by one, many in one turn of the event loop; they are taken together.
    if (!this.isEnded) await new Promise(setImmediate);
  }

  /** Ends a wait. */
  nudge(): void {
    this.signal.wakeAll();
  }

  fail(error: unknown): void {
    this.failure ??= error;
    this.signal.wakeAll();
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.subscription.unsubscribe().catch(() => undefined);
    this.subscription.destroy();
    this.signal.wakeAll();
  }
}

/** A category ends at the first dash. Without categories, everything except the server's own streams. */
function filterOf(categories: readonly string[] | undefined): Filter {
  const options = {
    maxSearchWindow: SEARCH_WINDOW,
    checkpointInterval: 1,
    checkpointReached: (
      subscription: AllStreamSubscription,
      checkpoint: { readonly commit: bigint; readonly prepare: bigint },
    ) => {
      subscription.push({ checkpoint } satisfies Mark);
    },
  };
  if (!categories) return streamNameFilter({ ...options, regex: '^[^$]' });
  return streamNameFilter({ ...options, prefixes: categories.map((category) => `${category}-`) });
}

function itemOf(received: AllStreamResolvedEvent | Mark): Item | undefined {
  if ('word' in received) return received.word;
  if ('checkpoint' in received)
    return isNoPosition(received.checkpoint) ? undefined : { position: toPosition(received.checkpoint) };
  const { event } = received;
  if (!event) return undefined;
  const position = toPosition(event.position);
  // The server's own events: those in its streams, and those that it writes to ours, such as a tombstone.
  if (event.streamId.startsWith('$') || event.type.startsWith('$')) return { position };
  const category = categoryOf(event.streamId);
  try {
    return { position, category, event: toRecorded(event) };
  } catch (error) {
    const foreign =
      error instanceof ForeignEvent ? error : new ForeignEvent(event.streamId, String(event.revision), event.id);
    return { position, category, foreign };
  }
}
