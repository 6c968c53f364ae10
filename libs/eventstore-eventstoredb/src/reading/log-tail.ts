import type { LogSlice, LogSubscription, Position, EngineLogger } from '@ponte/event-sourcing';
import { Signal } from '@ponte/concurrency';
import type { CatchUp } from './catch-up';
import { isForeignPosition } from '../failures';
import type { Step } from './feed';
import type { EventStoreDbLimits } from '../options';
import { gather } from './gathered-events';
import { OwnSubscription } from './own-subscription';
import type { ReaderParts } from './wait-for-skip';
import { waitForSkip } from './wait-for-skip';
import type { ReadingSlots } from './reading-slots';
import { fromPosition, isAtLeast } from './position';
import type { StoreFaults } from '../store-faults';
import type { LiveReader, Session } from './session';
import type { SharedSubscription } from './shared-subscription';
import { VerifiedPlace } from './verified-place';

interface TailParts {
  readonly shared: SharedSubscription;
  readonly slots: ReadingSlots;
  readonly limits: EventStoreDbLimits;
  readonly logger: EngineLogger;
  readonly faults: StoreFaults;
  readonly categories: readonly string[] | undefined;
  /** Name of the reader in faults and in the log. */
  readonly name: string;
  readonly isSkipped: (stream: string, revision: string) => Promise<boolean>;
  readonly leaderEnd: () => Promise<Position | undefined>;
  /** The last acknowledged position in these categories that this store wrote. */
  readonly written: () => Position | undefined;
  readonly gone: (tail: LogTail) => void;
}

/** Number of steps of the window that a live reader scans for one slice. */
const SCAN = 4_096;
/** How long a slice waits for events that are known to be coming, in milliseconds. */
const PATIENCE_MS = 1_000;
const LAGGING_MS = 100;

/** One reader of the log. It is live on the process's shared subscription, or catches up on its own subscription. */
export class LogTail implements LogSubscription, LiveReader {
  private readonly signal = new Signal();
  private verified: Session | undefined;
  private isClosed = false;
  private announceClosed = (): void => undefined;
  private readonly closed = new Promise<undefined>((resolve) => {
    this.announceClosed = () => resolve(undefined);
  });
  private readonly reader: ReaderParts;
  private readonly place: VerifiedPlace;
  /** Used while the shared subscription does not cover the position. */
  private readonly own: OwnSubscription;
  /** True once the consumer was informed that it has everything. */
  private isReported = false;

  constructor(
    private readonly parts: TailParts,
    private position: Position | undefined,
    private readonly limit: number,
  ) {
    if (position !== undefined) fromPosition(position);
    this.reader = { ...parts, signal: this.signal, isClosed: () => this.isClosed };
    this.place = new VerifiedPlace(this.reader, parts);
    this.own = new OwnSubscription({ ...parts, limit, closed: this.closed, isClosed: this.reader.isClosed });
  }

  readonly readsCategory = (category: string): boolean =>
    this.parts.categories === undefined || this.parts.categories.includes(category);

  readonly wake = (): void => {
    this.signal.wakeAll();
    this.own.nudge();
  };

  async *[Symbol.asyncIterator](): AsyncGenerator<LogSlice, void, undefined> {
    try {
      if (this.isClosed) return;
      this.parts.shared.begin();
      this.parts.shared.join(this);
      for (let slice = await this.next(); slice; slice = await this.next()) yield slice;
    } finally {
      await this.close();
    }
  }

  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    this.announceClosed();
    this.own.end();
    this.parts.shared.leave(this);
    this.signal.wakeAll();
    this.parts.faults.clear(this.parts.name, 'foreign-event');
    this.parts.gone(this);
  }

  /** The next slice; undefined at the end. */
  private async next(): Promise<LogSlice | undefined> {
    const { shared } = this.parts;
    while (!this.isClosed) {
      const { session } = shared;
      if (session && this.verified !== session) {
        if (await this.place.isInLog(session, this.position)) this.verified = session;
      } else if (shared.covers(this.position)) {
        this.own.end();
        const slice = await this.takeLive();
        if (slice) return this.isClosed ? undefined : slice;
      } else if (session) {
        const slice = await this.takeFromCatchUp(session);
        if (slice) return this.isClosed ? undefined : slice;
      } else await this.signal.wait();
    }
    return undefined;
  }

  /** Reads from the shared subscription's window; waits if there is nothing. */
  private async takeLive(): Promise<LogSlice | undefined> {
    const { shared } = this.parts;
    await this.awaitOwn();
    if (this.isClosed || !shared.covers(this.position)) return undefined;
    const steps = shared.window.after(this.position, SCAN);
    if (steps.length > 0) return this.slice(steps, steps.length < SCAN && shared.isLive);
    if (shared.isLive && !this.isReported && this.position !== undefined) {
      this.isReported = true;
      return { events: [], position: this.position, caughtUp: true };
    }
    await this.signal.wait();
    return undefined;
  }

  /** Reads from its own subscription, up to the point where the shared subscription continues. */
  private async takeFromCatchUp(session: Session): Promise<LogSlice | undefined> {
    const { shared } = this.parts;
    if (this.own.current?.session !== session) await this.own.begin(session, this.position);
    const catchUp = this.own.current;
    if (!catchUp) return undefined;
    const run = catchUp.take(this.limit);
    if (!run) {
      if (catchUp.isEnded) this.onCatchUpEnded(catchUp);
      else await catchUp.wait();
      return undefined;
    }
    // Later items will be delivered again, by the shared subscription or by another subscription.
    if (run.isEnd) this.own.end();
    const slice = await this.slice(run.steps, false);
    // A lagging node will soon have what the shared subscription has delivered.
    if (run.isEnd && !slice && !shared.covers(this.position)) await this.signal.wait(LAGGING_MS);
    return slice;
  }

  private onCatchUpEnded({ failure, session }: CatchUp): void {
    this.own.end();
    if (failure === undefined || this.isClosed) return;
    if (isForeignPosition(failure) && this.position !== undefined)
      throw this.place.refused(this.position, session.known, 'is not a position of this log');
    // After a failure of the channel, the client may have moved to another node.
    session.fail(failure);
    this.verified = undefined;
  }

  /** Waits for the events that this store wrote before the call, so that they are in the same slice. */
  private async awaitOwn(): Promise<void> {
    const { shared, written } = this.parts;
    const goal = written();
    const end = performance.now() + PATIENCE_MS;
    while (
      !this.isClosed &&
      shared.session &&
      !isAtLeast(shared.window.last, goal) &&
      shared.window.after(this.position, 1).length > 0
    ) {
      const left = end - performance.now();
      if (left <= 0) return;
      await this.signal.wait(left);
    }
  }

  /** Returns the wanted events of some steps and advances the position. Waits at an event that it cannot read. */
  private async slice(steps: readonly Step[], isEnd: boolean): Promise<LogSlice | undefined> {
    const gathered = await gather(steps, {
      after: this.position,
      limit: this.limit,
      readsCategory: this.readsCategory,
      passOver: (foreign) => waitForSkip(foreign, this.reader, () => this.own.end()),
      isClosed: this.reader.isClosed,
    });
    if (!gathered) return undefined;
    const { events, position, isWhole } = gathered;
    // Steps that the subscription delivered but the slice does not include are requested again.
    if (!isWhole) this.own.end();
    if (position === undefined || position === this.position) return undefined;
    this.position = position;
    const caughtUp = isEnd && isWhole;
    this.isReported = caughtUp;
    return { events, position, caughtUp };
  }
}
