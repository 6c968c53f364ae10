import type { LeftOut, MayRelease, ParkedEvent, ParkedEvents, ParkedPlace, Recorded } from '@ponte/event-sourcing';
import { failureText, isInGap, isLeftOut, reasonsOf, ReleaseRefused } from '@ponte/event-sourcing';
import { PARKED_BEHIND, PARKED_LEFT_OUT } from '@ponte/event-sourcing';
import { outageKeys } from './outages';
import type { OpenGap, ReleaseCheckParts } from './release-check';
import { assertNamed, refusalOf, ReleaseCheck } from './release-check';

/** Missing events that a release discards, by their ids. */
type Discards = ReadonlyMap<string, Recorded>;
const NONE: Discards = new Map();

/** The parked streams and events of one group. Several processes may consume for the group. */
export class ParkedStreams {
  private keys = new Set<string>();
  /** The streams parked since the last {@link load} began, which it may have read too early to see. */
  private parkedSince = new Set<string>();
  /** Ids of the discarded events, as far as this process knows. */
  private readonly discarded = new Set<string>();
  private readonly check: ReleaseCheck;

  constructor(
    private readonly parked: ParkedEvents,
    private readonly group: string,
    private readonly systemNow: () => number,
    check: ReleaseCheckParts,
  ) {
    this.check = new ReleaseCheck(check);
  }

  /** Reads which streams are parked. Calls must not overlap. */
  async load(): Promise<void> {
    const parkedSince = (this.parkedSince = new Set());
    this.keys = new Set([...(await this.parked.keys(this.group)), ...parkedSince]);
    await this.loadDiscarded();
  }

  /** `missingFrom` is the first revision of the gap that the event marks. */
  async park(event: Recorded, reason: string, missingFrom?: number): Promise<void> {
    const gap = missingFrom === undefined ? {} : { missingFrom };
    await this.parked.add({ group: this.group, key: event.stream, event, reason, parkedAt: this.now(), ...gap });
    for (const keys of [this.keys, this.parkedSince]) keys.add(event.stream);
  }

  /**
   * Parks an event if others of its stream are parked. `none` if there are none: another process may have released the
   * stream without this process knowing. A discarded event is finished, as a parked one is, but marks no gap.
   */
  async parkedBehind(
    event: Recorded,
    reason = PARKED_BEHIND,
    missingFrom?: number,
  ): Promise<'parked' | 'discarded' | 'none'> {
    if (this.discarded.has(event.id)) return 'discarded';
    if (!this.keys.has(event.stream)) return 'none';
    const before = await this.place(event);
    if (before.isDiscarded) return 'discarded';
    if (before.own) {
      // An event that an operator began to leave out is not missing any more, so that a release may handle it.
      const from = missingFrom ?? (isLeftOut(before.own) ? event.revision : undefined);
      if (from !== undefined) await this.park(event, reason, from);
      return 'parked';
    }
    if (before.others) {
      await this.park(event, reason, missingFrom);
      // The earlier events may have been released just now. Nothing would then release this one.
      const after = await this.place(event);
      if (after.others) return after.own ? 'parked' : 'discarded';
    }
    // An operator's process may have discarded events of the stream, and each may be delivered again.
    await this.loadDiscarded(event.stream);
    if (this.discarded.has(event.id)) return 'discarded';
    if (before.others) await this.parked.remove(this.group, event.id);
    this.keys.delete(event.stream);
    return 'none';
  }

  /** Whether a parked event of the stream waits for this one, as far as is known. */
  async isMissing({ id, stream, revision }: Recorded): Promise<boolean> {
    const marks = this.keys.has(stream) ? await this.waiting(stream) : [];
    return marks.some((mark) => isInGap(mark, revision) || (isLeftOut(mark) && mark.event.id === id));
  }

  /**
   * Handles the parked events of a stream again, in order. Rejects if one of them fails again, with
   * {@link ReleaseRefused} before the first one that must not be handled. False if it stopped at events that
   * `mayRelease` does not accept, such as one behind a gap that was parked after the release was decided.
   */
  async replay(
    key: string,
    handOver: (event: Recorded) => Promise<void>,
    mayRelease: MayRelease = () => true,
    leftOut?: LeftOut,
  ): Promise<boolean> {
    // Repeats until no event is left: another process may park further events of the stream meanwhile.
    let isFirst = true;
    let leaving = NONE;
    for (let waiting = await this.waiting(key); waiting.length > 0; waiting = await this.waiting(key)) {
      // Those that an event waited behind are handled now.
      const toApprove = isFirst
        ? waiting
        : waiting.filter((one) => reasonsOf(one).some((why) => why !== PARKED_BEHIND));
      if (toApprove.length > 0 && !mayRelease(toApprove)) return false;
      const gap = await this.openGap(key, waiting, leaving);
      if (leftOut && isFirst) {
        leaving = await this.leaveOut(key, gap, leftOut);
        isFirst = false;
        continue;
      }
      isFirst = false;
      // Sorted by revision, so that an event that was published late is still handled in its order.
      for (const one of [...waiting].sort((a, b) => a.event.revision - b.event.revision)) {
        if (gap && one.event.revision >= gap.from) throw refusalOf(gap);
        if (leftOut && leaving.has(one.event.id)) await this.discard(one.event, leftOut);
        else await this.finish(one, handOver);
      }
    }
    this.keys.delete(key);
    if (leftOut && isFirst)
      throw new ReleaseRefused(`no event of ${key} is parked any more`, '"parked discarded" lists what was discarded');
    for (const event of leaving.values()) await this.assertDiscarded(event);
    return true;
  }

  /** Parked streams accepted by `isSelected` whose events were all parked because of an outage, or behind others. */
  async outages(isSelected: (key: string) => boolean): Promise<readonly string[]> {
    const keys = [...this.keys].filter(isSelected);
    if (keys.length === 0) return [];
    const outages = await outageKeys(this.parked, this.group);
    return keys.filter((key) => outages.has(key));
  }

  /** The first open gap of a stream. Filled ones are noted, so that they count as filled after a failure. */
  private async openGap(key: string, waiting: readonly ParkedEvent[], leaving: Discards): Promise<OpenGap | undefined> {
    const discarded = await this.parked.discarded(this.group, key);
    const { filled, open } = await this.check.gaps(waiting, discarded, new Set(leaving.keys()));
    for (const { event } of filled) await this.parked.gapFilled(this.group, event.id);
    return open[0];
  }

  /**
   * Parks the missing events that the operator named, so that each can be discarded in its turn. Those that a release
   * which was interrupted has discarded already may be named too, so that the same command can be repeated.
   */
  private async leaveOut(key: string, gap: OpenGap | undefined, { revisions }: LeftOut): Promise<Discards> {
    assertNamed(revisions, gap, await this.parked.discarded(this.group, key));
    for (const event of gap?.events ?? []) await this.park(event, PARKED_LEFT_OUT);
    return new Map(gap?.events.map((event) => [event.id, event]));
  }

  private async discard(event: Recorded, { discard }: LeftOut): Promise<void> {
    await this.parked.discard(this.group, event.id, discard);
    await this.assertDiscarded(event);
  }

  /** Another release may have handled an event that this one discards, if it was delivered meanwhile. */
  private async assertDiscarded(event: Recorded): Promise<void> {
    if ((await this.place(event)).isDiscarded) return;
    const { stream, revision, type, id } = event;
    throw new ReleaseRefused(
      `${revision} ${type} ${id} of ${stream} was not discarded`,
      'another release handled it, or an event before it was parked meanwhile; look with "parked list"',
    );
  }

  /** Handles a parked event. */
  private async finish(one: ParkedEvent, handOver: (event: Recorded) => Promise<void>): Promise<void> {
    const { event } = one;
    await this.check.assertInLog(one);
    try {
      await handOver(event);
    } catch (error) {
      // The error of the event matters more than one of its record.
      await this.parked
        .failedAgain(this.group, event.id, { reason: failureText(error), at: this.now() })
        .catch(() => undefined);
      throw error;
    }
    await this.parked.remove(this.group, event.id);
  }

  private async place({ id, stream }: Recorded): Promise<ParkedPlace> {
    const place = await this.parked.place(this.group, stream, id);
    if (place.isDiscarded) this.discarded.add(id);
    return place;
  }

  private now(): string {
    return new Date(this.systemNow()).toISOString();
  }

  private async loadDiscarded(key?: string): Promise<void> {
    for (const { event } of await this.parked.discarded(this.group, key)) this.discarded.add(event.id);
  }

  private waiting(key: string): Promise<readonly ParkedEvent[]> {
    return this.parked.list(this.group, key);
  }
}
