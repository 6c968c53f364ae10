import type { ParkedEvent, ParkedEvents, Recorded } from '@ponte/event-sourcing';
import { isOutageReason } from './outages';

const BEHIND = 'waits behind an earlier event of its stream';

/** The parked streams and events of one group. Several processes may consume for the group. */
export class ParkedStreams {
  private keys = new Set<string>();

  constructor(
    private readonly parked: ParkedEvents,
    private readonly group: string,
    private readonly systemNow: () => number,
  ) {}

  /** Reads which streams are parked. */
  async load(): Promise<void> {
    this.keys = new Set(await this.parked.keys(this.group));
  }

  async park(event: Recorded, reason: string): Promise<void> {
    const parkedAt = new Date(this.systemNow()).toISOString();
    await this.parked.add({ group: this.group, key: event.stream, event, reason, parkedAt });
    this.keys.add(event.stream);
  }

  /**
   * Parks an event if others of its stream are parked. False if there are none: another process may have released the
   * stream without this process knowing.
   */
  async parkedBehind(event: Recorded): Promise<boolean> {
    if (!this.keys.has(event.stream)) return false;
    const before = await this.waiting(event.stream);
    if (before.some((one) => one.event.id === event.id)) return true;
    if (before.length > 0) {
      await this.park(event, BEHIND);
      // The earlier events may have been released just now. Nothing would then release this one.
      const after = await this.waiting(event.stream);
      if (after.some((one) => one.event.id !== event.id)) return true;
      await this.parked.remove(this.group, event.id);
    }
    this.keys.delete(event.stream);
    return false;
  }

  /** Handles the parked events of a stream again, in order. Rejects if one of them fails again. */
  async replay(key: string, handOver: (event: Recorded) => Promise<void>): Promise<void> {
    // Repeats until no event is left: another process may park further events of the stream meanwhile.
    for (let waiting = await this.waiting(key); waiting.length > 0; waiting = await this.waiting(key)) {
      // Sorted by revision, so that an event that was published late is still handled in its order.
      for (const { event } of [...waiting].sort((a, b) => a.event.revision - b.event.revision)) {
        await handOver(event);
        await this.parked.remove(this.group, event.id);
      }
    }
    this.keys.delete(key);
  }

  /** The parked streams accepted by `isAsked` whose first event was parked because of an outage. */
  async outages(isAsked: (key: string) => boolean): Promise<readonly string[]> {
    const found: string[] = [];
    for (const key of [...this.keys].filter(isAsked)) {
      const [first] = await this.waiting(key);
      if (first && isOutageReason(first.reason)) found.push(key);
    }
    return found;
  }

  private waiting(key: string): Promise<readonly ParkedEvent[]> {
    return this.parked.list(this.group, key);
  }
}
