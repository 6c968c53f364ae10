import { randomUUID } from 'node:crypto';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb';
import { ReadResp } from '@eventstore/db-client/generated/streams_pb';
import type { LogView } from './log-view';
import type { ReadCall, Source } from './read-call';
import { send } from './read-call';
import type { Entry } from './wire';

/** The open subscriptions. A stalled one stays open but sends nothing. */
export type Subscriptions = Map<ReadCall, { stalled: boolean }>;
type Options = ReadReq.Options;
type Filter = (entry: Entry) => boolean;

/** Events between two checkpoints when the client sets no window. */
const DEFAULT_WINDOW = 32;
/** After this many live events at once, a subscription reports that it fell behind and catches up again. */
const FALLS_BEHIND = 100;
/** With fewer events in `$all`, a filtered subscription from the start without matches reports {@link NO_POSITION}. */
const SMALL_LOG = 255;
/** The protocol's position for "no position". */
const NO_POSITION = '18446744073709551615';

/** Catches up, reports that, and follows the log, with the order and checkpoints of EventStoreDB. */
export async function subscribe(
  log: LogView,
  call: ReadCall,
  options: Options,
  source: Source,
  subscriptions: Subscriptions,
): Promise<void> {
  const state = { stalled: false };
  let wake = (): void => undefined;
  const ring = (): void => wake();
  subscriptions.set(call, state);
  log.events.on('grown', ring);
  call.on('cancelled', ring).on('error', ring);
  // Nothing may be written after an error was emitted, or the client would never receive that error.
  const isOpen = (): boolean => !call.cancelled && subscriptions.has(call);
  try {
    await send(call, confirmation());
    const run = new Run(log, call, options, source, isOpen, state);
    await run.begin();
    while (isOpen()) {
      await run.on();
      if (isOpen() && (state.stalled || !run.hasMore))
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  } finally {
    log.events.off('grown', ring);
    subscriptions.delete(call);
  }
}

export const confirmation = (): ReadResp =>
  new ReadResp().setConfirmation(new ReadResp.SubscriptionConfirmation().setSubscriptionId(randomUUID()));

/** The state of one confirmed subscription. */
class Run {
  private readonly wanted: Filter;
  private readonly every: number;
  private readonly isFiltered: boolean;
  private readonly isFromStart: boolean;
  private next: number;
  private seen = 0;
  private matched = 0;
  private live = false;

  constructor(
    private readonly log: LogView,
    private readonly call: ReadCall,
    options: Options,
    private readonly source: Source,
    private readonly isOpen: () => boolean,
    private readonly state: { readonly stalled: boolean },
  ) {
    const filter = options.getFilter();
    this.isFiltered = filter !== undefined;
    this.isFromStart = options.getAll()?.hasStart() ?? false;
    this.every = filter
      ? Math.max(1, filter.getCheckpointintervalmultiplier()) * (filter.getMax() || DEFAULT_WINDOW)
      : Infinity;
    this.wanted = filterOf(options);
    this.next = source.start;
  }

  get hasMore(): boolean {
    return this.next < this.source.end();
  }

  /**
   * The first checkpoint of a filtered subscription carries no progress: the beginning, or the position to resume
   * after.
   */
  async begin(): Promise<void> {
    if (!this.isFiltered) return;
    if (this.isFromStart) await this.checkpoint('0', '0');
    const behind = this.source.at(this.next - 1);
    if (behind) await this.checkpoint(String(behind.position), '0');
  }

  /** Sends all current events. */
  async on(): Promise<void> {
    if (this.state.stalled) return;
    if (this.live && this.source.end() - this.next >= FALLS_BEHIND) {
      this.live = false;
      await send(this.call, new ReadResp().setFellBehind(new ReadResp.FellBehind()));
    }
    while (this.hasMore && this.isOpen() && !this.state.stalled) {
      const entry = this.source.at(this.next);
      this.next += 1;
      this.seen += 1;
      if (entry && this.wanted(entry)) {
        this.matched += 1;
        await send(this.call, entry.encoded);
      }
      if (entry && this.seen % this.every === 0 && this.isOpen()) await this.checkpoint(String(entry.position));
    }
    if (this.live || !this.isOpen() || this.state.stalled) return;
    this.live = true;
    await this.endOfCatchingUp();
    await send(this.call, new ReadResp().setCaughtUp(new ReadResp.CaughtUp()));
  }

  private async endOfCatchingUp(): Promise<void> {
    if (!this.isFiltered) return;
    if (this.isFromStart && this.matched === 0 && this.log.length < SMALL_LOG) return this.checkpoint(NO_POSITION);
    let last = this.next - 1;
    while (last >= 0 && !this.source.at(last)) last -= 1;
    const entry = this.source.at(last);
    if (entry) await this.checkpoint(String(entry.position));
  }

  private async checkpoint(commit: string, prepare = commit): Promise<void> {
    await send(
      this.call,
      new ReadResp().setCheckpoint(new ReadResp.Checkpoint().setCommitPosition(commit).setPreparePosition(prepare)),
    );
  }
}

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
