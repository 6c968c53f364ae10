import type { Publication } from '../publication/publication.domain';
import type { OutboxLog } from './outbox-log';

/** The most waiting publications; at this number the projector waits. */
const MAX_WAITING = 2_048;

/**
 * Writes to the outboxes while the projector reads on. Rounds run one at a time, which keeps the order of the log;
 * publications that arrive during a round are written in the next one. A failed round is retried until it is written or
 * this process stops, and the checkpoint waits for it.
 */
export class Publishing {
  private waiting: Publication[] = [];
  private next: Promise<void> | undefined;
  private last: Promise<void> = Promise.resolve();

  /** `linger` is awaited before each round to collect the publications of several slices. It delays no webhook. */
  constructor(
    private readonly outbox: Pick<OutboxLog, 'publish'>,
    private readonly persistently: (work: () => Promise<void>) => Promise<void>,
    private readonly linger: () => Promise<void> = async () => undefined,
  ) {}

  get isFull(): boolean {
    return this.waiting.length >= MAX_WAITING;
  }

  /** Resolves when the publications are durable; rejects when this process stops first. */
  publish(publications: readonly Publication[]): Promise<void> {
    this.waiting.push(...publications);
    return (this.next ??= this.round());
  }

  private round(): Promise<void> {
    // After a failed round, the later ones fail too: if they were written, they would precede the missing publications.
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
