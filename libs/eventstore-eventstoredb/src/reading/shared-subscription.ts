import type { Position } from '@ponte/event-sourcing';
import { retryDelay, Signal } from '@ponte/concurrency';
import { isForeignPosition } from '../failures';
import type { Step } from './feed';
import { Feed } from './feed';
import type { LiveReader, Session, SharedSubscriptionParts } from './session';
import { reportEnded, watchNode } from './session';
import { isAtLeast, laterOf } from './position';
import type { HeldClient } from '../proven-client';
import { endOf } from './reads';
import { Window } from './window';

const CAPACITY = 1_024;
/** How often live readers get the position of the log, in milliseconds. */
const WAKE_ALL_MS = 500;
/** A session of at least this length resets the retry delays. */
const LASTING_MS = 10_000;

/** The process's single subscription at the end of the log, shared by all of its readers. */
export class SharedSubscription {
  readonly window = new Window();
  private readonly rest = new Signal();
  private readonly readers = new Set<LiveReader>();
  private running: Promise<void> | undefined;
  private feed: Feed | undefined;
  private readonly toWake = new Set<LiveReader>();
  private waking: NodeJS.Immediate | undefined;
  private wakeTimer: NodeJS.Timeout | undefined;
  private failures = 0;
  private isClosed = false;
  /** The current session; undefined between two sessions. */
  session: Session | undefined;
  /** True while the last received event is the end of the node's log. */
  isLive = false;
  private hasBegun = false;

  constructor(private readonly parts: SharedSubscriptionParts) {}

  /** Called when the first reader starts. */
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

  /** Resolves when it has stopped completely. Its clients must be closed meanwhile. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.feed?.close();
    clearTimeout(this.wakeTimer);
    this.rest.wakeAll();
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
      reportEnded(error, this.window.last, this.parts);
      return undefined;
    }
  }

  /** Runs until the session is over. */
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
      // Items received before the failure can still be read.
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
   * Sets the position to continue from: after the last event, or the end of the node's log if the shared subscription
   * is starting or its position no longer exists in the log.
   */
  private async place(session: Session): Promise<void> {
    const { limits, leaderEnd } = this.parts;
    const end = await endOf(session.client, limits.readMs, false);
    const { last } = this.window;
    if (!this.hasBegun) this.window.reset(end);
    // A lagging node will soon have the missing events; a replaced log never will.
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
    if (items.length > 0) this.wakeAllSoon();
  }

  private step(step: Step, session: Session): void {
    this.failures = 0;
    this.window.add(step);
    session.known = this.window.last;
    const { category } = step;
    if (category === undefined) return;
    for (const reader of this.readers)
      if (!this.toWake.has(reader) && reader.readsCategory(category)) this.toWake.add(reader);
    if (this.toWake.size === 0) return;
    // Wakes readers once per turn of the event loop, so that events that arrive together are in one slice.
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

  /** Informs readers that wanted none of the events about the new position. */
  private wakeAllSoon(): void {
    this.wakeTimer ??= setTimeout(() => {
      this.wakeTimer = undefined;
      this.wakeAll();
    }, WAKE_ALL_MS).unref();
  }

  private fail(error: unknown, held: HeldClient): void {
    reportEnded(error, this.window.last, this.parts);
    if (isForeignPosition(error)) this.hasBegun = false;
    this.parts.clients.giveUp(held, error);
  }

  private async pause(): Promise<void> {
    this.failures += 1;
    await this.rest.wait(retryDelay(this.failures, this.parts.limits.resubscribeMs));
  }
}
