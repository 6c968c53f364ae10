import type { LeftOut, MayRelease, ParkedEvent, ParkedEvents, ParkedReason, Recorded } from '@ponte/event-sourcing';
import { failureText, isLeftOut, PARKED_BEHIND, PARKED_LEFT_OUT } from '@ponte/event-sourcing';
import { reasonsOf, ReleaseRefused } from '@ponte/event-sourcing';
import type { OpenGap, ReleaseCheck } from './release-check';
import { assertNamed, refusalOf } from './release-check';

/** How many parked events are read at once, and at most discarded at once. */
const PAGE = 100;
/** How many reasons are read at once. They are read without the events. */
const REASONS_PAGE = 1_000;

/** What a release needs of the parked events of its group. */
export interface ReleaseParts {
  readonly parked: ParkedEvents;
  readonly group: string;
  readonly check: ReleaseCheck;
  readonly park: (event: Recorded, reason: string) => Promise<void>;
  /** Called with the ids of events that were discarded, as soon as they are. */
  readonly noteDiscarded: (ids: ReadonlySet<string>) => void;
  /** ISO 8601. */
  readonly now: () => string;
}

/** What is released, and how. */
export interface ReleaseOptions {
  readonly handOver: (event: Recorded) => Promise<void>;
  readonly mayRelease?: MayRelease;
  readonly leftOut?: LeftOut;
  /** Ends the release before its next event. */
  readonly signal?: AbortSignal;
}

export class StreamRelease {
  /** The missing events that this release discards, by their ids; undefined until they are parked. */
  private leaving: ReadonlyMap<string, Recorded> | undefined;

  constructor(
    private readonly parts: ReleaseParts,
    private readonly key: string,
    private readonly options: ReleaseOptions,
  ) {}

  /**
   * Handles the parked events again, in order, until none is left. False if it stopped at events that `mayRelease` does
   * not accept. Rejects as {@link ParkedStreams.replay}.
   */
  async handleAll(): Promise<boolean> {
    const { mayRelease = () => true, leftOut } = this.options;
    // Repeats until no event is left: another process may park further events of the stream meanwhile.
    let isFirst = true;
    for (let waiting = await this.waiting(); waiting.length > 0; waiting = await this.waiting()) {
      // Those that an event waited behind are handled now.
      const toApprove = isFirst
        ? waiting
        : waiting.filter((one) => reasonsOf(one).some((why) => why !== PARKED_BEHIND));
      if (toApprove.length > 0 && !mayRelease(toApprove)) return false;
      isFirst = false;
      const gap = await this.openGap(waiting);
      if (leftOut && !this.leaving) await this.leaveOut(gap, leftOut);
      else await this.handle(new Set(waiting.map(({ event }) => event.id)), gap);
    }
    return true;
  }

  /** Rejects unless all events that this release leaves out are discarded. Call it when the others are handled. */
  async assertLeftOut(): Promise<void> {
    if (!this.options.leftOut) return;
    if (!this.leaving)
      throw new ReleaseRefused(
        `no event of ${this.key} is parked any more`,
        '"parked discarded" lists what was discarded',
      );
    const discarded = new Set((await this.discarded()).map(({ event }) => event.id));
    for (const event of this.leaving.values()) if (!discarded.has(event.id)) throw notDiscarded(event);
  }

  /** Why the events of the stream are parked, sorted by revision. */
  private async waiting(): Promise<readonly ParkedReason[]> {
    const { parked, group } = this.parts;
    const waiting: ParkedReason[] = [];
    for (;;) {
      const page = await parked.reasons(group, REASONS_PAGE, waiting.at(-1), this.key);
      if (page.length > 0) this.assertNotStopped();
      waiting.push(...page);
      if (page.length < REASONS_PAGE) return waiting;
    }
  }

  /** The parked events of the stream, sorted by revision. */
  private async *events(): AsyncGenerator<readonly ParkedEvent[], void> {
    const { parked, group } = this.parts;
    let page: readonly ParkedEvent[] = [];
    do {
      page = await parked.page(group, this.key, PAGE, page.at(-1));
      yield page;
    } while (page.length === PAGE);
  }

  /** The first open gap of the stream. Filled ones are noted, so that they count as filled after a failure. */
  private async openGap(waiting: readonly ParkedReason[]): Promise<OpenGap | undefined> {
    const { parked, group, check } = this.parts;
    const undecided = await this.undecided(waiting);
    const { filled, open } = await check.gaps(this.key, waiting, await this.discarded(), undecided);
    for (const { event } of filled) await parked.gapFilled(group, event.id);
    return open[0];
  }

  /** The events that another release began to leave out. */
  private async undecided(waiting: readonly ParkedReason[]): Promise<readonly Recorded[]> {
    const isUndecided = (one: ParkedReason): boolean => isLeftOut(one) && !this.leaving?.has(one.event.id);
    if (!waiting.some(isUndecided)) return [];
    const undecided: Recorded[] = [];
    for await (const page of this.events()) undecided.push(...page.filter(isUndecided).map(({ event }) => event));
    return undecided;
  }

  /**
   * Parks the missing events that the operator named, so that each can be discarded in its turn. Those that a release
   * which was interrupted has discarded already may be named too, so that the same command can be repeated.
   */
  private async leaveOut(gap: OpenGap | undefined, { revisions }: LeftOut): Promise<void> {
    const { group, park } = this.parts;
    assertNamed(group, revisions, gap, await this.discarded());
    for (const event of gap?.events ?? []) {
      this.assertNotStopped();
      await park(event, PARKED_LEFT_OUT);
    }
    this.leaving = new Map(gap?.events.map((event) => [event.id, event]));
  }

  /**
   * Handles the events that are in `waiting`, up to a gap. Sorted by revision, so that a late one is in its order. Ends
   * early if another gap was found meanwhile.
   */
  private async handle(waiting: ReadonlySet<string>, gap: OpenGap | undefined): Promise<void> {
    for await (const page of this.events()) {
      const leftOut: Recorded[] = [];
      for (const one of page) {
        if (!waiting.has(one.event.id)) continue;
        this.assertNotStopped();
        const isBehindGap = gap !== undefined && one.event.revision >= gap.from;
        if (!isBehindGap && this.leaving?.has(one.event.id)) leftOut.push(one.event);
        else {
          if (!(await this.discard(leftOut.splice(0)))) return;
          if (isBehindGap) throw refusalOf(this.parts.group, gap);
          await this.finish(one);
        }
      }
      if (!(await this.discard(leftOut))) return;
    }
  }

  /** Handles a parked event. */
  private async finish({ event }: ParkedEvent): Promise<void> {
    const { parked, group, check, now } = this.parts;
    await check.assertInLog(group, event);
    try {
      await this.options.handOver(event);
    } catch (error) {
      // The error of the event matters more than one of its record.
      await parked.failedAgain(group, event.id, { reason: failureText(error), at: now() }).catch(() => undefined);
      throw error;
    }
    await parked.remove(group, event.id);
  }

  /** Discards events that follow one another in their stream. False if one of them left a gap to a later event. */
  private async discard(events: readonly Recorded[]): Promise<boolean> {
    const { leftOut } = this.options;
    const { parked, group, noteDiscarded } = this.parts;
    if (!leftOut || events.length === 0) return true;
    const ids = events.map(({ id }) => id);
    const discarded = await parked.discardTogether(group, this.key, ids, leftOut.discard);
    noteDiscarded(discarded);
    const next = events.find(({ id }) => !discarded.has(id));
    if (!next) return true;
    // It marks a gap, or must not be discarded.
    await parked.discard(group, next.id, leftOut.discard);
    if (!(await parked.place(group, this.key, next.id)).isDiscarded) throw notDiscarded(next);
    noteDiscarded(new Set([next.id]));
    return false;
  }

  private discarded(): Promise<readonly ParkedEvent[]> {
    return this.parts.parked.discarded(this.parts.group, this.key);
  }

  private assertNotStopped(): void {
    if (this.options.signal?.aborted)
      throw new ReleaseRefused('the process is being stopped', 'repeat the command as it was to release the rest');
  }
}

/** Another release may have handled an event that this one discards, if it was delivered meanwhile. */
const notDiscarded = ({ stream, revision, type, id }: Recorded): ReleaseRefused =>
  new ReleaseRefused(
    `${revision} ${type} ${id} of ${stream} was not discarded`,
    'another release handled it, or an event before it was parked meanwhile; look with "parked list"',
  );
