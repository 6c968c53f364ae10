import type { ParkedEvent, ParkedEvents, ParkedPlace, Recorded } from '@ponte/event-sourcing';
import { isLeftOut, PARKED_BEHIND, PARKED_NOT_IN_LOG } from '@ponte/event-sourcing';
import { outageKeys } from '../outages';
import type { ReleaseCheckParts } from './release-check';
import { ReleaseCheck } from './release-check';
import type { ReleaseOptions, ReleaseParts } from './stream-release';
import { StreamRelease } from './stream-release';

/** The parked streams and events of one group. Several processes may consume for the group. */
export class ParkedStreams {
  private keys = new Set<string>();
  /** The streams parked since the last {@link load} began, which it may have read too early to see. */
  private parkedSince = new Set<string>();
  /** Ids of the discarded events, as far as this process knows. */
  private readonly discarded = new Set<string>();
  private readonly parts: ReleaseParts;

  constructor(
    private readonly parked: ParkedEvents,
    private readonly group: string,
    private readonly systemNow: () => number,
    check: ReleaseCheckParts,
  ) {
    this.parts = {
      ...{ parked, group, now: () => this.now(), check: new ReleaseCheck(check) },
      park: (event, reason) => this.park(event, reason),
      noteDiscarded: (ids) => ids.forEach((id) => this.discarded.add(id)),
    };
  }

  /** Reads which streams are parked. Calls must not overlap. */
  async load(): Promise<void> {
    const parkedSince = (this.parkedSince = new Set());
    this.keys = new Set([...(await this.parked.keys(this.group)), ...parkedSince]);
    await this.loadDiscarded();
  }

  /** `missingFrom` is the first revision of the gap that the event marks. */
  async park(event: Recorded, reason: string, missingFrom?: number): Promise<void> {
    await this.parked.add(this.row(event, reason, missingFrom));
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
      // A restore undid the parked event, and it was recorded again at another revision: this one counts now.
      if (before.own.event.revision !== event.revision && reason !== PARKED_NOT_IN_LOG) {
        await this.parked.replace(this.row(event, PARKED_BEHIND, missingFrom));
        return 'parked';
      }
      // An event that an operator began to leave out is not missing any more, so that a release may handle it.
      const from = missingFrom ?? (isLeftOut(before.own) ? event.revision : undefined);
      if (from !== undefined) await this.park(event, reason, from);
      // Unless the log does not have it, it is kept: an operator may just be removing the parked one. Otherwise it was
      // removed or released just now, and is handled like an event that was not parked.
      if (from !== undefined || reason === PARKED_NOT_IN_LOG || (await this.parked.keep(this.group, event.id)))
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
  async isMissing(event: Recorded): Promise<boolean> {
    return this.keys.has(event.stream) && this.parked.isAwaited(this.group, event.stream, event);
  }

  /**
   * Handles the parked events of a stream again, in order. Rejects if one of them fails again, with
   * {@link ReleaseRefused} before the first one that must not be handled. False if it stopped at events that
   * `mayRelease` does not accept, such as one behind a gap that was parked after the release was decided.
   */
  async replay(key: string, options: ReleaseOptions): Promise<boolean> {
    const release = new StreamRelease(this.parts, key, options);
    if (!(await release.handleAll())) return false;
    this.keys.delete(key);
    await release.assertLeftOut();
    return true;
  }

  /** Parked streams accepted by `isSelected` whose events were all parked because of an outage, or behind others. */
  async outages(isSelected: (key: string) => boolean): Promise<readonly string[]> {
    const keys = [...this.keys].filter(isSelected);
    if (keys.length === 0) return [];
    const outages = await outageKeys(this.parked, this.group);
    return keys.filter((key) => outages.has(key));
  }

  private async place({ id, stream }: Recorded): Promise<ParkedPlace> {
    const place = await this.parked.place(this.group, stream, id);
    if (place.isDiscarded) this.discarded.add(id);
    return place;
  }

  private row(event: Recorded, reason: string, missingFrom?: number): ParkedEvent {
    const gap = missingFrom === undefined ? {} : { missingFrom };
    return { group: this.group, key: event.stream, event, reason, parkedAt: this.now(), ...gap };
  }

  private now(): string {
    return new Date(this.systemNow()).toISOString();
  }

  private async loadDiscarded(key?: string): Promise<void> {
    for (const { event } of await this.parked.discarded(this.group, key)) this.discarded.add(event.id);
  }
}
