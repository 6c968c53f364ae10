import type {
  Discard,
  DiscardedEvent,
  FailedRelease,
  ParkedCount,
  ParkedEvent,
  ParkedEvents,
  ParkedPlace,
  ParkedReason,
} from '@ponte/event-sourcing';
import { gapBefore, isInGap, isLeftOut, PARKED_LEFT_OUT } from '@ponte/event-sourcing';

const inOrder = (a: ParkedReason, b: ParkedReason): number =>
  a.key.localeCompare(b.key) || a.event.revision - b.event.revision || a.event.id.localeCompare(b.event.id);

const pageOf = (sorted: readonly ParkedEvent[], limit: number, after?: ParkedReason): readonly ParkedEvent[] =>
  sorted.filter((one) => !after || inOrder(after, one) < 0).slice(0, limit);

const withoutEvent = ({
  key,
  event: { id, revision },
  reason,
  missingFrom,
  failedAgain,
}: ParkedEvent): ParkedReason => ({
  key,
  event: { id, revision },
  reason,
  ...(missingFrom === undefined ? {} : { missingFrom }),
  ...(failedAgain ? { failedAgain } : {}),
});

/** Parked events in memory. */
export class MemoryParkedEvents implements ParkedEvents {
  private rows: { parked: ParkedEvent; discard?: Discard; isBeingRemoved?: boolean }[] = [];

  async add(parked: ParkedEvent): Promise<void> {
    const row = this.kept(parked.group, parked.event.id);
    const { missingFrom } = parked;
    if (!row) this.rows.push({ parked });
    else if (missingFrom !== undefined)
      row.parked = { ...row.parked, missingFrom: Math.min(row.parked.missingFrom ?? missingFrom, missingFrom) };
  }

  async keep(group: string, eventId: string): Promise<boolean> {
    return this.kept(group, eventId) !== undefined;
  }

  async replace(parked: ParkedEvent): Promise<void> {
    const row = this.kept(parked.group, parked.event.id);
    if (!row) return this.add(parked);
    if (row.discard || row.parked.event.revision === parked.event.revision) return;
    const gap = gapBefore(row.parked);
    const { missingFrom: given = Infinity, ...others } = parked;
    const from = Math.min(given, gap ? (gap.from ?? 0) : Infinity);
    row.parked = { ...others, ...(from < parked.event.revision ? { missingFrom: from } : {}) };
  }

  async failedAgain(group: string, eventId: string, failure: Omit<FailedRelease, 'times'>): Promise<void> {
    const row = this.find(group, eventId);
    if (!row) return;
    const times = (row.parked.failedAgain?.times ?? 0) + 1;
    row.parked = { ...row.parked, failedAgain: { ...failure, times } };
  }

  async gapFilled(group: string, eventId: string): Promise<void> {
    const row = this.find(group, eventId);
    if (row) row.parked = { ...row.parked, missingFrom: row.parked.event.revision };
  }

  async list(group?: string, key?: string): Promise<readonly ParkedEvent[]> {
    return this.waiting(group, key);
  }

  async reasons(group: string, limit: number, after?: ParkedReason, key?: string): Promise<readonly ParkedReason[]> {
    return pageOf(this.waiting(group, key), limit, after).map(withoutEvent);
  }

  async page(group: string, key: string, limit: number, after?: ParkedReason): Promise<readonly ParkedEvent[]> {
    return pageOf(this.waiting(group, key), limit, after);
  }

  async isAwaited(group: string, key: string, { id, revision }: ParkedReason['event']): Promise<boolean> {
    return this.waiting(group, key).some((one) => isInGap(one, revision) || (isLeftOut(one) && one.event.id === id));
  }

  async remove(group: string, eventId: string): Promise<void> {
    const found = this.find(group, eventId);
    this.rows = this.rows.filter((row) => row !== found);
  }

  async place(group: string, key: string, eventId: string): Promise<ParkedPlace> {
    const row = this.of(group, key).find(({ parked }) => parked.event.id === eventId);
    const others = this.of(group, key).filter((one) => one !== row && !one.discard);
    const [first, last] = [others.at(0), others.at(-1)].map((one) => one?.parked.event.revision);
    return {
      ...(row && !row.discard ? { own: row.parked } : {}),
      isDiscarded: row?.discard !== undefined,
      ...(first === undefined || last === undefined ? {} : { others: { first, last } }),
    };
  }

  async counts(): Promise<readonly ParkedCount[]> {
    const groups = [...new Set(this.waiting().map(({ group }) => group))].sort();
    return groups.map((group) => {
      const parked = this.waiting(group);
      const [oldestAt = ''] = parked.map(({ parkedAt }) => parkedAt).sort();
      return { group, events: parked.length, streams: new Set(parked.map(({ key }) => key)).size, oldestAt };
    });
  }

  async keys(group: string): Promise<ReadonlySet<string>> {
    return new Set((await this.list(group)).map(({ key }) => key));
  }

  async discard(group: string, eventId: string, discard: Discard): Promise<void> {
    const row = this.find(group, eventId);
    if (!row || row.discard) return;
    const { key, event } = row.parked;
    if (this.waiting(group, key)[0]?.event.revision !== event.revision) return;
    if (await this.leavesGapMarked(row.parked)) row.discard = discard;
  }

  async removeUndone(group: string, eventId: string, revision: number, isInLog: () => Promise<boolean>): Promise<void> {
    const row = this.find(group, eventId);
    if (!row || row.discard || row.parked.event.revision !== revision) return;
    row.isBeingRemoved = true;
    if ((await isInLog()) || !row.isBeingRemoved) return;
    if (await this.leavesGapMarked(row.parked)) await this.remove(group, eventId);
  }

  /** Leaves the gap that an event marks to the next one. False if no event can mark it. */
  private async leavesGapMarked(one: ParkedEvent): Promise<boolean> {
    const gap = gapBefore(one);
    if (!gap) return true;
    const isNext = ({ event, reason }: ParkedEvent): boolean =>
      event.revision > one.event.revision && reason !== PARKED_LEFT_OUT;
    const next = this.waiting(one.group, one.key).find(isNext);
    if (next) await this.add({ ...next, missingFrom: gap.from ?? 0 });
    return next !== undefined;
  }

  async discardTogether(
    group: string,
    key: string,
    eventIds: readonly string[],
    discard: Discard,
  ): Promise<ReadonlySet<string>> {
    const isMeant = (one: ParkedEvent): boolean => eventIds.includes(one.event.id) && gapBefore(one) === undefined;
    const end = this.waiting(group, key).find((one) => !isMeant(one))?.event.revision ?? Infinity;
    const rows = this.of(group, key).filter(({ parked }) => eventIds.includes(parked.event.id));
    for (const row of rows) if (isMeant(row.parked) && row.parked.event.revision <= end) row.discard ??= discard;
    return new Set(rows.flatMap((row) => (row.discard ? [row.parked.event.id] : [])));
  }

  async discarded(group?: string, key?: string): Promise<readonly DiscardedEvent[]> {
    return this.of(group, key).flatMap(({ parked, discard }) => (discard ? [{ ...parked, ...discard }] : []));
  }

  private waiting(group?: string, key?: string): readonly ParkedEvent[] {
    return this.of(group, key).flatMap(({ parked, discard }) => (discard ? [] : [parked]));
  }

  private of(group?: string, key?: string) {
    return this.rows
      .filter(({ parked }) => (group ?? parked.group) === parked.group && (key ?? parked.key) === parked.key)
      .sort((a, b) => inOrder(a.parked, b.parked));
  }

  /** The row of an event that was delivered again, which an operator must not remove any more. */
  private kept(group: string, eventId: string) {
    const row = this.find(group, eventId);
    if (row) row.isBeingRemoved = false;
    return row;
  }

  private find(group: string, eventId: string) {
    return this.rows.find(({ parked }) => parked.group === group && parked.event.id === eventId);
  }
}
