import { pause } from '@ponte/concurrency';
import type { Dispatcher } from '../dispatch/dispatcher.service';
import type { Publication } from '../publication/publication.domain';
import { byAudience } from '../publication/publication.domain';
import type { OutboxLog } from './outbox-log';

/** The most publications that wait for outboxes that can be written, and again for those that cannot. */
const MAX_WAITING = 2_048;

/** Notifications about outboxes that cannot be written. */
export interface PublishingEvents {
  /** Called after each failure to write the outbox of an account. */
  fails(accountId: string, error: unknown): void;
  /** Called when the outbox is written again. `isBehind`: its missing publications have to be read again. */
  works(accountId: string, isBehind: boolean): void;
}

/** The outbox of one account, while publications wait for it. */
interface WaitingOutbox {
  readonly publications: readonly Publication[];
  /** The number of publications in the round that is being written. */
  readonly inRound: number;
  /** The round that has not begun. */
  readonly next: Promise<void> | undefined;
  readonly last: Promise<void>;
  readonly isFailing: boolean;
  /** Publications were left out, so all later ones are too, until the log is read again. */
  readonly isBehind: boolean;
}

const IDLE: WaitingOutbox = {
  publications: [],
  inRound: 0,
  next: undefined,
  last: Promise.resolve(),
  isFailing: false,
  isBehind: false,
};

/** What became of the publications of a slice. */
export interface Published {
  /** Each resolves when the publications for one account are durable, and rejects when this process stops first. */
  readonly written: readonly Promise<void>[];
  /** False when publications were left out: the slice has to be read again. */
  readonly isComplete: boolean;
}

/**
 * Writes to the outboxes while the projector reads on. Each outbox is written in rounds, one at a time, which keeps the
 * order of the log; publications that arrive during a round are written in the next one. A failed round is retried
 * until it is written or this process stops, and the checkpoint waits for it.
 *
 * An outbox that cannot be written delays no other. If too many publications wait for such outboxes, further ones are
 * left out; they are read from the log again when the outbox works.
 */
export class Publishing {
  private readonly outboxes = new Map<string, WaitingOutbox>();
  /** How many publications wait for outboxes that work, and for those that fail. */
  private readonly waiting = { working: 0, failing: 0 };
  private lingering: Promise<void> | undefined;
  private released: (() => void)[] = [];

  /** Rounds begin together, `lingerMs` after a publication, to collect several slices. This delays no webhook. */
  constructor(
    private readonly outbox: Pick<OutboxLog, 'publish'>,
    private readonly dispatcher: Pick<Dispatcher, 'retryForever'>,
    private readonly events: PublishingEvents,
    private readonly lingerMs = 0,
  ) {}

  get isFull(): boolean {
    return this.waiting.working >= MAX_WAITING;
  }

  /** Resolves when fewer publications than the limit wait for outboxes that work. */
  async room(): Promise<void> {
    while (this.isFull)
      await new Promise<void>((resolve) => {
        this.released.push(resolve);
      });
  }

  /** Call when the projector starts to read at its checkpoint, which is before everything that was left out. */
  readerBegins(): void {
    for (const audience of [...this.outboxes.keys()]) this.change(audience, { isBehind: false });
  }

  publish(publications: readonly Publication[]): Published {
    const written = [...byAudience(publications)].map(([audience, group]) => this.add(audience, group));
    const accepted = written.filter((one) => one !== undefined);
    return { written: accepted, isComplete: accepted.length === written.length };
  }

  /** Undefined when the publications were left out. */
  private add(audience: string, group: readonly Publication[]): Promise<void> | undefined {
    const { publications, isFailing, isBehind } = this.of(audience);
    if (isBehind || (isFailing && this.waiting.failing + group.length > MAX_WAITING)) {
      this.change(audience, { isBehind: true });
      return undefined;
    }
    this.change(audience, { publications: [...publications, ...group] });
    return this.of(audience).next ?? this.round(audience);
  }

  private round(audience: string): Promise<void> {
    // After a failed round, the later ones fail too: if they were written, they would precede the missing publications.
    const written = this.of(audience)
      .last.then(() => this.sharedPause())
      .then(async () => {
        const { publications } = this.of(audience);
        this.change(audience, { publications: [], inRound: publications.length, next: undefined });
        await this.dispatcher.retryForever(() => this.attempt(audience, publications));
        const { isFailing, isBehind } = this.of(audience);
        this.change(audience, { inRound: 0, isFailing: false });
        if (isFailing) this.events.works(audience, isBehind);
      });
    written.catch(() => undefined);
    this.change(audience, { next: written, last: written });
    return written;
  }

  private async attempt(audience: string, publications: readonly Publication[]): Promise<void> {
    try {
      await this.outbox.publish(publications);
    } catch (error) {
      this.change(audience, { isFailing: true });
      this.events.fails(audience, error);
      throw error;
    }
  }

  /** Resolves for all outboxes at the same moment, so that the event store can write their appends together. */
  private sharedPause(): Promise<void> | undefined {
    if (this.lingerMs === 0) return undefined;
    this.lingering ??= pause(this.lingerMs).finally(() => {
      this.lingering = undefined;
    });
    return this.lingering;
  }

  private of(audience: string): WaitingOutbox {
    return this.outboxes.get(audience) ?? IDLE;
  }

  private change(audience: string, changes: Partial<WaitingOutbox>): void {
    const before = this.of(audience);
    const after = { ...before, ...changes };
    this.count(before, -1);
    this.count(after, 1);
    const isIdle = after.publications.length + after.inRound === 0 && !after.next && !after.isBehind;
    if (isIdle) this.outboxes.delete(audience);
    else this.outboxes.set(audience, after);
    if (!this.isFull) for (const release of this.released.splice(0)) release();
  }

  private count({ publications, inRound, isFailing }: WaitingOutbox, sign: 1 | -1): void {
    if (isFailing) this.waiting.failing += sign * (publications.length + inRound);
    else this.waiting.working += sign * publications.length;
  }
}
