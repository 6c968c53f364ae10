import type { LogSlice, LogSubscription, Position, Recorded, EngineLogger } from '@ponte/event-sourcing';
import { Signal } from '@ponte/concurrency';
import { CatchUp } from './catch-up';
import { isForeignPosition } from '../failures';
import type { Step } from './feed';
import type { EventStoreDbLimits } from '../options';
import type { PassageParts } from './passage';
import { passOver } from './passage';
import type { Places } from './places';
import { comparePositions, fromPosition, isAtLeast } from './position';
import type { StoreFaults } from '../store-faults';
import type { LiveReader, Session } from './session';
import type { Trunk } from './trunk';
import { VerifiedPlace } from './verified-place';

export interface TailParts {
  readonly trunk: Trunk;
  readonly places: Places;
  readonly limits: EventStoreDbLimits;
  readonly logger: EngineLogger;
  readonly faults: StoreFaults;
  readonly categories: readonly string[] | undefined;
  /** Names the reader in faults and in the log. */
  readonly name: string;
  readonly isSkipped: (stream: string, revision: string) => Promise<boolean>;
  readonly leaderEnd: () => Promise<Position | undefined>;
  /** The last place of these categories that this store was acknowledged to have written. */
  readonly written: () => Position | undefined;
  readonly gone: (tail: LogTail) => void;
}

/** Steps of the window that a live reader looks at for one slice. */
const SCAN = 4_096;
/** How long a slice waits for events that are known to be on their way. */
const PATIENCE_MS = 1_000;
const LAGGING_MS = 100;

/** One reader of the log: live on the trunk of the process, or catching up on a subscription of its own. */
export class LogTail implements LogSubscription, LiveReader {
  private readonly signal = new Signal();
  private catchUp: CatchUp | undefined;
  private verified: Session | undefined;
  private isClosed = false;
  private tellClosed = (): void => undefined;
  private readonly closed = new Promise<undefined>((resolve) => {
    this.tellClosed = () => resolve(undefined);
  });
  private readonly passage: PassageParts;
  private readonly place: VerifiedPlace;
  /** The consumer knows that it has everything. */
  private isReported = false;

  constructor(
    private readonly parts: TailParts,
    private position: Position | undefined,
    private readonly limit: number,
  ) {
    if (position !== undefined) fromPosition(position);
    this.passage = { ...parts, signal: this.signal, isClosed: () => this.isClosed };
    this.place = new VerifiedPlace(this.passage, parts);
  }

  readonly wants = (category: string): boolean =>
    this.parts.categories === undefined || this.parts.categories.includes(category);

  readonly wake = (): void => {
    this.signal.ring();
    this.catchUp?.nudge();
  };

  async *[Symbol.asyncIterator](): AsyncGenerator<LogSlice, void, undefined> {
    try {
      if (this.isClosed) return;
      this.parts.trunk.begin();
      this.parts.trunk.join(this);
      for (let slice = await this.next(); slice; slice = await this.next()) yield slice;
    } finally {
      await this.close();
    }
  }

  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    this.tellClosed();
    this.endCatchUp();
    this.parts.trunk.leave(this);
    this.signal.ring();
    this.parts.faults.clear(this.parts.name, 'foreign-event');
    this.parts.gone(this);
  }

  /** Undefined at the end. */
  private async next(): Promise<LogSlice | undefined> {
    const { trunk } = this.parts;
    while (!this.isClosed) {
      const { session } = trunk;
      if (session && this.verified !== session) {
        if (await this.place.isInLog(session, this.position)) this.verified = session;
      } else if (trunk.covers(this.position)) {
        this.endCatchUp();
        const slice = await this.takeLive();
        if (slice) return this.isClosed ? undefined : slice;
      } else if (session) {
        const slice = await this.takeBehind(session);
        if (slice) return this.isClosed ? undefined : slice;
      } else await this.signal.wait();
    }
    return undefined;
  }

  /** From the window of the trunk; waits when there is nothing. */
  private async takeLive(): Promise<LogSlice | undefined> {
    const { trunk } = this.parts;
    await this.awaitOwn();
    if (this.isClosed || !trunk.covers(this.position)) return undefined;
    const steps = trunk.window.after(this.position, SCAN);
    if (steps.length > 0) return this.slice(steps, steps.length < SCAN && trunk.isLive);
    if (trunk.isLive && !this.isReported && this.position !== undefined) {
      this.isReported = true;
      return { events: [], position: this.position, caughtUp: true };
    }
    await this.signal.wait();
    return undefined;
  }

  /** From a subscription of its own, up to where the trunk goes on. */
  private async takeBehind(session: Session): Promise<LogSlice | undefined> {
    if (this.catchUp?.session !== session) await this.beginCatchUp(session);
    const {
      catchUp,
      parts: { trunk },
    } = this;
    if (!catchUp) return undefined;
    const run = catchUp.take(this.limit);
    if (!run) {
      if (catchUp.isEnded) this.endedBehind(catchUp);
      else await catchUp.wait();
      return undefined;
    }
    // What comes behind the end comes again, on the trunk or on another subscription.
    if (run.isEnd) this.endCatchUp();
    const slice = await this.slice(run.steps, false);
    // A node that lags has what the trunk has brought soon.
    if (run.isEnd && !slice && !trunk.covers(this.position)) await this.signal.wait(LAGGING_MS);
    return slice;
  }

  private async beginCatchUp(session: Session): Promise<void> {
    this.endCatchUp();
    const { places, categories } = this.parts;
    const begun = await CatchUp.begin(
      { places, session, after: this.position, categories, limit: this.limit },
      this.closed,
      () => this.endCatchUp(),
    );
    if (this.isClosed) begun?.end();
    else this.catchUp = begun;
  }

  private endCatchUp(): void {
    this.catchUp?.end();
    this.catchUp = undefined;
  }

  private endedBehind({ failure, session }: CatchUp): void {
    this.endCatchUp();
    if (failure === undefined || this.isClosed) return;
    if (isForeignPosition(failure) && this.position !== undefined)
      throw this.place.refused(this.position, session.known, 'is not a position of this log');
    // A channel that has failed may have led the client to another node.
    session.fail(failure);
    this.verified = undefined;
  }

  /**
   * What this store wrote before it was asked belongs to the slice: it is on its way, and then the slice is not a part
   * of it.
   */
  private async awaitOwn(): Promise<void> {
    const { trunk, written } = this.parts;
    const goal = written();
    const end = performance.now() + PATIENCE_MS;
    while (
      !this.isClosed &&
      trunk.session &&
      !isAtLeast(trunk.window.last, goal) &&
      trunk.window.after(this.position, 1).length > 0
    ) {
      const left = end - performance.now();
      if (left <= 0) return;
      await this.signal.wait(left);
    }
  }

  /** The wanted events of some steps, and how far they bring the reader. Waits at an event that it cannot read. */
  private async slice(steps: readonly Step[], isEnd: boolean): Promise<LogSlice | undefined> {
    const events: Recorded[] = [];
    let position = this.position;
    let isWhole = true;
    for (const step of steps) {
      if (position !== undefined && comparePositions(step.position, position) <= 0) continue;
      if (step.category !== undefined && this.wants(step.category)) {
        if (
          step.foreign &&
          (events.length > 0 || !(await passOver(step.foreign, this.passage, () => this.endCatchUp())))
        ) {
          isWhole = false;
          break;
        }
        if (this.isClosed) return undefined;
        if (step.event && events.length === this.limit) {
          isWhole = false;
          break;
        }
        if (step.event) events.push(step.event);
      }
      position = step.position;
    }
    // What a subscription has brought and the slice left out is asked for again.
    if (!isWhole) this.endCatchUp();
    if (position === undefined || position === this.position) return undefined;
    this.position = position;
    const caughtUp = isEnd && isWhole;
    this.isReported = caughtUp;
    return { events, position, caughtUp };
  }
}
