import type { Position } from '@ponte/event-sourcing';
import { retryDelay, Signal } from '@ponte/concurrency';
import { isForeignPosition } from '../failures';
import type { Step } from './feed';
import { Feed } from './feed';
import type { LiveReader, Session, TrunkParts } from './session';
import { tellEnded, watchNode } from './session';
import { isAtLeast, laterOf } from './position';
import type { HeldClient } from '../proven-client';
import { endOf } from './reads';
import { Window } from './window';

const CAPACITY = 1_024;
/** How often live readers learn the position of the log. */
const TELL_MS = 500;
/** A session that lasted so long was a good one. */
const LASTING_MS = 10_000;

/** The one subscription of a process that follows the end of the log, for all of its readers. */
export class Trunk {
  readonly window = new Window();
  private readonly rest = new Signal();
  private readonly readers = new Set<LiveReader>();
  private running: Promise<void> | undefined;
  private feed: Feed | undefined;
  private readonly toWake = new Set<LiveReader>();
  private waking: NodeJS.Immediate | undefined;
  private telling: NodeJS.Timeout | undefined;
  private failures = 0;
  private isClosed = false;
  /** The session there is; undefined between two. */
  session: Session | undefined;
  /** True while the last event that came is the end of the node's log. */
  isLive = false;
  private hasBegun = false;

  constructor(private readonly parts: TrunkParts) {}

  /** From the first reader on. */
  begin(): void {
    this.running ??= this.run();
  }

  covers(position: Position | undefined): boolean {
    return this.hasBegun && this.window.covers(position);
  }

  join(reader: LiveReader): void {
    this.readers.add(reader);
  }

  leave(reader: LiveReader): void {
    this.readers.delete(reader);
  }

  /** Resolves when nothing of it runs any more; its clients are closed meanwhile. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.feed?.close();
    clearTimeout(this.telling);
    this.rest.ring();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.isClosed) {
      const begun = performance.now();
      const held = await this.hold();
      if (held) await this.follow(held);
      if (performance.now() - begun > LASTING_MS) this.failures = 0;
      if (!this.isClosed) await this.pause();
    }
  }

  private async hold(): Promise<HeldClient | undefined> {
    try {
      return await this.parts.clients.hold(this.parts.limits.readMs);
    } catch (error) {
      tellEnded(error, this.window.last, this.parts);
      return undefined;
    }
  }

  /** Until the session is over. */
  private async follow(held: HeldClient): Promise<void> {
    const session: Session = {
      client: held.client,
      known: undefined,
      isOver: false,
      fail: (error) => this.feed?.fail(error),
    };
    held.uses += 1;
    let pulse: NodeJS.Timeout | undefined;
    try {
      await this.place(session);
      const feed = (this.feed = new Feed({ client: session.client, after: this.window.last, capacity: CAPACITY }));
      this.session = session;
      this.wakeAll();
      pulse = watchNode(this.parts, held, session, feed, () => this.window.last);
      while (!feed.isEnded) {
        this.add(feed, session);
        await feed.wait();
      }
      throw feed.failure;
    } catch (error) {
      // What came before it failed is still to be had.
      if (this.feed && this.session === session) this.add(this.feed, session);
      if (!this.isClosed) this.fail(error, held);
    } finally {
      clearInterval(pulse);
      session.isOver = true;
      this.session = undefined;
      this.isLive = false;
      this.feed?.close();
      this.feed = undefined;
      held.uses -= 1;
      this.wakeAll();
    }
  }

  /**
   * Where to go on: behind the last event, or at the end of the node's log when the trunk begins or its place is not of
   * the log any more.
   */
  private async place(session: Session): Promise<void> {
    const { limits, leaderEnd } = this.parts;
    const end = await endOf(session.client, limits.readMs, false);
    const { last } = this.window;
    if (!this.hasBegun) this.window.reset(end);
    // A node that lags has what it lacks soon; a log that was replaced never has.
    else if (!isAtLeast(end, last) && !isAtLeast(laterOf(end, await leaderEnd()), last)) this.window.reset(end);
    this.hasBegun = true;
    if (isAtLeast(end, this.window.last)) session.known = this.window.last;
  }

  private add(feed: Feed, session: Session): void {
    const items = feed.take(CAPACITY);
    for (const item of items) {
      if (item === 'caught-up') {
        this.isLive = true;
        this.parts.faults.clear('all readers', 'access');
        this.wakeAll();
      } else if (item === 'fell-behind') this.isLive = false;
      else this.step(item, session);
    }
    if (items.length > 0) this.tellSoon();
  }

  private step(step: Step, session: Session): void {
    this.failures = 0;
    this.window.add(step);
    session.known = this.window.last;
    const { category } = step;
    if (category === undefined) return;
    for (const reader of this.readers) if (!this.toWake.has(reader) && reader.wants(category)) this.toWake.add(reader);
    if (this.toWake.size === 0) return;
    // Once for all that has come with it: what follows in the same turn belongs to the same slice.
    this.waking ??= setImmediate(() => {
      this.waking = undefined;
      const woken = [...this.toWake];
      this.toWake.clear();
      for (const reader of woken) reader.wake();
    });
  }

  private wakeAll(): void {
    for (const reader of this.readers) reader.wake();
  }

  /** Readers that wanted none of it learn all the same that the log went on. */
  private tellSoon(): void {
    this.telling ??= setTimeout(() => {
      this.telling = undefined;
      this.wakeAll();
    }, TELL_MS).unref();
  }

  private fail(error: unknown, held: HeldClient): void {
    tellEnded(error, this.window.last, this.parts);
    if (isForeignPosition(error)) this.hasBegun = false;
    this.parts.clients.giveUp(held, error);
  }

  private async pause(): Promise<void> {
    this.failures += 1;
    await this.rest.wait(retryDelay(this.failures, this.parts.limits.resubscribeMs));
  }
}
