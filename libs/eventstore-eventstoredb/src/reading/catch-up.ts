import type { Position } from '@ponte/event-sourcing';
import type { Item, Step } from './feed';
import { Feed } from './feed';
import type { ReadingSlots } from './reading-slots';
import { laterOf } from './position';
import type { Session } from './session';

export interface CatchUpOptions {
  readonly slots: ReadingSlots;
  readonly session: Session;
  readonly after: Position | undefined;
  readonly categories: readonly string[] | undefined;
  /** The largest number of steps in a run. */
  readonly limit: number;
}

/**
 * Some of the steps that a reader is missing. At the end of the last run, the reader has everything that the shared
 * subscription had when catching up started.
 */
interface Run {
  readonly steps: readonly Step[];
  readonly isEnd: boolean;
}

/** The filtered subscription of a reader that is behind the shared subscription's window. Their number is limited. */
export class CatchUp {
  private readonly feed: Feed;
  /** The last position that the node was known to have when the subscription was opened. */
  private readonly had: Position | undefined;

  private constructor(
    readonly session: Session,
    after: Position | undefined,
    options: CatchUpOptions,
    private readonly release: () => void,
  ) {
    this.had = session.known;
    this.feed = new Feed({
      client: session.client,
      after,
      filter: { categories: options.categories },
      capacity: options.limit,
    });
  }

  /** Waits for a free place. Undefined if the reader was closed or the session ended meanwhile. */
  static async begin(
    options: CatchUpOptions,
    closed: Promise<undefined>,
    giveBack: () => void,
  ): Promise<CatchUp | undefined> {
    const taking = options.slots.take(giveBack);
    const release = await Promise.race([taking, closed]);
    if (!release) {
      void taking.then((free) => free());
      return undefined;
    }
    if (!options.session.isOver) return new CatchUp(options.session, options.after, options, release);
    release();
    return undefined;
  }

  get isEnded(): boolean {
    return this.feed.isEnded;
  }

  get failure(): unknown {
    return this.feed.failure;
  }

  /** Undefined while there are no new items. */
  take(limit: number): Run | undefined {
    const items = this.feed.take(limit);
    if (items.length === 0) return undefined;
    const end = items.indexOf('caught-up');
    if (end < 0) return { steps: items.filter(isStep), isEnd: false };
    const steps = items.slice(0, end).filter(isStep);
    if (this.had === undefined || this.session.isOver) return { steps, isEnd: true };
    return { steps: [...steps, { position: laterOf(steps.at(-1)?.position, this.had) ?? this.had }], isEnd: true };
  }

  wait(): Promise<void> {
    return this.feed.wait();
  }

  nudge(): void {
    this.feed.nudge();
  }

  end(): void {
    this.feed.close();
    this.release();
  }
}

const isStep = (item: Item): item is Step => typeof item === 'object';
