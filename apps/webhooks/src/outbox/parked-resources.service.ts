import { Inject, Injectable } from '@nestjs/common';
import type { EventStore, ParkedEvent, ParkedEvents, Recorded } from '@ponte/event-sourcing';
import {
  discardCommand,
  failureText,
  findEvent,
  logged,
  PARKED_BEHIND,
  ReleaseRefused,
  safeError,
} from '@ponte/event-sourcing';
import type { WebhookEventsReleased } from '@ponte/contracts';
import type { Clock } from '@ponte/kernel';
import { isoTime } from '@ponte/kernel';
import { EVENT_STORE, LOGGER, PARKED_EVENTS, SYSTEM_CLOCK } from '@ponte/nest';
import type { Logger } from 'pino';
import { OUTBOX_READER } from './reader-progress.service';

/** How often a stream is read before its event is parked; with the pauses of the reader about 4 s. */
const MAX_READS = 6;

/** The stream of a resource could not be read as far as needed. Unlike a failed fold, this may pass by itself. */
export class HistoryNotRead extends Error {
  override readonly name = 'HistoryNotRead';
}

/** How far a release handed over the events of a stream. */
interface HandedOver {
  /** Revision of the last event that an earlier release handed over, -1 for none. */
  readonly from: number;
  /** Revision of the last event that this release handed over. */
  readonly upTo: number;
  /** Position of the release in the log. */
  readonly at: string;
}

/** What a release does to the parked events of its stream. */
export interface Release {
  /** Id of the event that requests it. */
  readonly id: string;
  readonly stream: string;
  /** Ids of the events that are published now. */
  readonly handedOver: readonly string[];
  /** Why the next event still cannot be published; undefined when nothing stays parked. */
  readonly failure: string | undefined;
  /** Id of that event. */
  readonly failed?: string;
}

/** What became of a release, for the operator who requested it. */
type Released = Pick<Release, 'failure'> & { readonly published: number };

/**
 * The resources whose events cannot be published, for example because their stream cannot be decoded. Such an event and
 * the later ones of its stream are stored in the table of parked events, so that the reader passes them, until an
 * operator releases the stream. Only the process that holds the lease of the reader uses this.
 */
@Injectable()
export class ParkedResources {
  private keys: Set<string> | undefined;
  private readonly reads = new Map<string, number>();
  private readonly handedOver = new Map<string, HandedOver>();
  private readonly waiting = new Map<string, (released: Released) => void>();

  constructor(
    @Inject(PARKED_EVENTS) private readonly parked: ParkedEvents,
    @Inject(EVENT_STORE) private readonly store: Pick<EventStore, 'head' | 'read'>,
    @Inject(SYSTEM_CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Call when the projector starts to read at its checkpoint: another process may have parked or released streams. */
  readerBegins(): void {
    this.keys = undefined;
    this.reads.clear();
    this.handedOver.clear();
  }

  /** Whether the event has to wait behind a parked one. It is then durably parked too. */
  async holds(event: Recorded): Promise<boolean> {
    const { stream, id, revision } = event;
    const keys = await this.known();
    if (!keys.has(stream)) return false;
    const { own, others } = await this.parked.place(OUTBOX_READER, stream, id);
    // A restore undid the parked event, and it was recorded again: this one counts now.
    if (own && own.event.revision !== revision) {
      await this.parked.replace(this.row(event, own.reason));
      return true;
    }
    if (own && (await this.parked.keep(OUTBOX_READER, id))) return true;
    if (!others) {
      keys.delete(stream);
      return false;
    }
    // An earlier event was published before the stream was parked; the reader only sees it again.
    if (revision < others.first) return false;
    if (others.last <= (this.handedOver.get(stream)?.upTo ?? -1)) return false;
    await this.parked.add(this.row(event, PARKED_BEHIND));
    return true;
  }

  /** Parks an event that cannot be published. Throws instead while the cause may pass by itself. */
  async park(event: Recorded, error: unknown): Promise<void> {
    if (error instanceof HistoryNotRead) {
      const reads = (this.reads.get(event.id) ?? 0) + 1;
      this.reads.set(event.id, reads);
      if (reads < MAX_READS) throw error;
      await this.assertLogAnswers();
    }
    await this.parked.add(this.row(event, failureText(error)));
    (await this.known()).add(event.stream);
    this.reads.delete(event.id);
    const { stream, id, type, meta } = event;
    this.logger.error(
      { ...logged(meta), stream, event: id, type, error: safeError(error) },
      'an event cannot be published to webhooks; it and the later events of its stream are parked',
    );
  }

  /**
   * Hands over the parked events of a stream in order, up to the first that still cannot be published. They stay in the
   * table until {@link settle}, so that a crash before that repeats the release. Reading the same release again hands
   * over the same events.
   */
  async release(
    { id, position, data: { stream } }: Recorded<WebhookEventsReleased>,
    handOver: (event: Recorded) => Promise<void>,
  ): Promise<Release> {
    const before = this.handedOver.get(stream);
    const from = before === undefined ? -1 : before.at === position ? before.from : before.upTo;
    const handedOver: string[] = [];
    let [upTo, failure, failed]: [number, string | undefined, string | undefined] = [from, undefined, undefined];
    for (const { event } of await this.rows(stream)) {
      if (event.revision <= from) continue;
      try {
        await this.assertInLog(event);
        await handOver(event);
      } catch (error) {
        await this.assertLogAnswers();
        [failure, failed] = [failureText(error), event.id];
        break;
      }
      handedOver.push(event.id);
      upTo = event.revision;
    }
    this.handedOver.set(stream, { from, upTo, at: position });
    return { id, stream, handedOver, failure, failed };
  }

  /** Call when everything that a release handed over is durable. */
  async settle({ id, stream, handedOver, failure, failed }: Release): Promise<void> {
    for (const event of handedOver) await this.parked.remove(OUTBOX_READER, event);
    if (failed !== undefined)
      await this.parked.failedAgain(OUTBOX_READER, failed, { reason: failure ?? '', at: isoTime(this.clock.now()) });
    this.waiting.get(id)?.({ published: handedOver.length, failure });
    this.logger.warn({ stream, published: handedOver.length, failure }, 'parked events of webhooks were released');
  }

  /** Resolves when the release with this id is settled. Call before the release is appended. */
  outcomeOf(id: string): { readonly outcome: Promise<Released>; readonly forget: () => void } {
    const outcome = new Promise<Released>((resolve) => this.waiting.set(id, resolve));
    return { outcome, forget: () => this.waiting.delete(id) };
  }

  /** The parked events of a stream, in its order. */
  async rows(stream: string): Promise<readonly ParkedEvent[]> {
    const rows = await this.parked.list(OUTBOX_READER, stream);
    return [...rows].sort((a, b) => a.event.revision - b.event.revision);
  }

  private async known(): Promise<Set<string>> {
    return (this.keys ??= new Set(await this.parked.keys(OUTBOX_READER)));
  }

  /** Throws while the whole log cannot be read: the stream may then be fine. */
  private async assertLogAnswers(): Promise<void> {
    await this.store.head();
  }

  /**
   * Throws for an event that the log does not have at its revision: a restore undid it, and it may be recorded again.
   */
  private async assertInLog({ id, stream, revision }: Recorded): Promise<void> {
    const found = await findEvent(this.store, stream, { id, revision });
    if (!found)
      throw new ReleaseRefused(
        `the log does not have the event ${id}`,
        `discard it with ${discardCommand(OUTBOX_READER, id)}`,
      );
    if (found.revision !== revision)
      throw new ReleaseRefused(
        `the log has the event ${id} at revision ${found.revision}, not ${revision}`,
        `rewind ${OUTBOX_READER} to a position before it, wait until it has caught up, and repeat the command`,
      );
  }

  private row(event: Recorded, reason: string): ParkedEvent {
    return { group: OUTBOX_READER, key: event.stream, event, reason, parkedAt: isoTime(this.clock.now()) };
  }
}
