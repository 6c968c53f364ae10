import type { Discard, DiscardedEvent, ParkedEvent, ParkedEvents } from '@ponte/event-sourcing';

/** Parked events in memory. */
export class MemoryParkedEvents implements ParkedEvents {
  private rows: { readonly parked: ParkedEvent; discard?: Discard }[] = [];

  async add(parked: ParkedEvent): Promise<void> {
    if (!this.find(parked.group, parked.event.id)) this.rows.push({ parked });
  }

  async list(group?: string, key?: string): Promise<readonly ParkedEvent[]> {
    return this.of(group, key).flatMap(({ parked, discard }) => (discard ? [] : [parked]));
  }

  async remove(group: string, eventId: string): Promise<void> {
    const found = this.find(group, eventId);
    this.rows = this.rows.filter((row) => row !== found);
  }

  async keys(group: string): Promise<ReadonlySet<string>> {
    return new Set((await this.list(group)).map(({ key }) => key));
  }

  async discard(group: string, eventId: string, discard: Discard): Promise<void> {
    const row = this.find(group, eventId);
    if (!row || row.discard) return;
    const [first] = await this.list(group, row.parked.key);
    if (first === row.parked) row.discard = discard;
  }

  async discarded(group?: string, key?: string): Promise<readonly DiscardedEvent[]> {
    return this.of(group, key).flatMap(({ parked, discard }) => (discard ? [{ ...parked, ...discard }] : []));
  }

  private of(group?: string, key?: string) {
    return this.rows
      .filter(({ parked }) => (group ?? parked.group) === parked.group && (key ?? parked.key) === parked.key)
      .sort((a, b) => a.parked.key.localeCompare(b.parked.key) || a.parked.event.revision - b.parked.event.revision);
  }

  private find(group: string, eventId: string) {
    return this.rows.find(({ parked }) => parked.group === group && parked.event.id === eventId);
  }
}
