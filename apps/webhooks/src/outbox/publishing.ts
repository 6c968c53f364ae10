import type { Publication } from '../publication/publication.domain';
import type { OutboxLog } from './outbox-log';

/** Publications that may wait; beyond it the projector waits with them. */
const MAX_WAITING = 2_048;

/**
 * Writes to the outboxes while the projector reads on: one round at a time, so that the order of the log is kept, and
 * what comes meanwhile is the next round. A round that fails is tried again until it is written or this process stops;
 * the place in the log waits for it.
 */
export class Publishing {
  private waiting: Publication[] = [];
  private next: Promise<void> | undefined;
  private last: Promise<void> = Promise.resolve();

  /**
   * `linger` is taken before each round, so that an append holds what several slices brought: no webhook waits for it.
   */
  constructor(
    private readonly outbox: Pick<OutboxLog, 'publish'>,
    private readonly persistently: (work: () => Promise<void>) => Promise<void>,
    private readonly linger: () => Promise<void> = async () => undefined,
  ) {}

  get isFull(): boolean {
    return this.waiting.length >= MAX_WAITING;
  }

  /** Resolves when they are durable; rejects when this process stops before. */
  publish(publications: readonly Publication[]): Promise<void> {
    this.waiting.push(...publications);
    return (this.next ??= this.round());
  }

  private round(): Promise<void> {
    // What follows a round that was given up is given up, too: written, it would come before what is missing.
    const written = this.last.then(this.linger).then(() => {
      const publications = this.waiting;
      this.waiting = [];
      this.next = undefined;
      return this.persistently(() => this.outbox.publish(publications));
    });
    written.catch(() => undefined);
    this.last = written;
    return written;
  }
}
