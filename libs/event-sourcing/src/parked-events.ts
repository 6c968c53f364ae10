import type { Discard, FailedRelease, ParkedCount, ParkedEvent, ParkedReason } from './ports/message-bus';
import { LoggableError } from './safe-error';

/** The reason of an event that is parked only because an earlier one of its stream is. */
export const PARKED_BEHIND = 'waits behind an earlier event of its stream';
/** The reason of the first event after a gap in its stream. */
export const PARKED_AFTER_GAP = 'earlier events of its stream are missing';

/** The reason of an event that the log does not have, because the log was restored to an earlier state. */
export const PARKED_NOT_IN_LOG = 'the log does not have it, because a restore undid it';
/** The reason of a missing event that an operator leaves out in a release, until it is discarded in its turn. */
export const PARKED_LEFT_OUT = 'it was missing, and a release that leaves it out is not finished';

/** Parked events were not released because one of them must not be handled yet. The message names no data. */
export class ReleaseRefused extends LoggableError {
  override readonly name = 'ReleaseRefused';

  /** `what` is the short cause; `action` tells the operator what to do. */
  constructor(
    readonly what: string,
    action: string,
  ) {
    super(`${what}; ${action}`);
  }
}

/** Revisions, ascending, as operators read and write them: `3,5-7`. */
export function revisionsText(revisions: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const revision of revisions) {
    const last = ranges.at(-1);
    if (last && last[1] + 1 === revision) last[1] = revision;
    else ranges.push([revision, revision]);
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(',');
}

/** The revisions that a text as of {@link revisionsText} names. */
export class NamedRevisions {
  /** The ends of the ranges, ascending and apart; undefined if the text has others. */
  private readonly ranges: readonly (readonly [number, number])[] | undefined;

  constructor(text: string) {
    const ranges = text.split(',').map((range) => {
      const [first = '', last = first] = range.split('-');
      return [Number(first), Number(last)] as const;
    });
    const isAscending = ranges.every(([first, last], at) => (ranges[at - 1]?.[1] ?? -1) < first && first <= last);
    this.ranges = isAscending ? ranges : undefined;
  }

  has(revision: number): boolean {
    const { ranges = [] } = this;
    let [low, high] = [0, ranges.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ranges[middle]?.[1] ?? 0) < revision) low = middle + 1;
      else high = middle;
    }
    return (ranges[low]?.[0] ?? Infinity) <= revision;
  }

  /** Whether these are all of them. */
  areExactly(revisions: ReadonlySet<number>): boolean {
    const count = this.ranges?.reduce((sum, [first, last]) => sum + last - first + 1, 0);
    return count === revisions.size && [...revisions].every((revision) => this.has(revision));
  }

  /** False if the text has ranges that are reversed, overlap or are not in order. */
  get isInOrder(): boolean {
    return this.ranges !== undefined;
  }
}

/**
 * Whether a missing event is parked only because an operator leaves it out, in a release that is not finished. Once the
 * event was delivered, its row says so with {@link ParkedEvent.missingFrom}.
 */
export const isLeftOut = ({ reason, missingFrom }: Pick<ParkedEvent, 'reason' | 'missingFrom'>): boolean =>
  reason === PARKED_LEFT_OUT && missingFrom === undefined;

/** Whether the event marks a gap, as far as is known not filled. `from` is undefined if the beginning is unknown. */
export function gapBefore(parked: Omit<ParkedReason, 'key'>): { from?: number } | undefined {
  const { missingFrom: from, reason, event } = parked;
  if (from === undefined) return reason === PARKED_AFTER_GAP ? {} : undefined;
  return from < event.revision ? { from } : undefined;
}

/** Whether a revision is in the gap that a parked event marks, if it marks one. */
export function isInGap(mark: Omit<ParkedReason, 'key'>, revision: number): boolean {
  const gap = gapBefore(mark);
  return gap !== undefined && revision >= (gap.from ?? 0) && revision < mark.event.revision;
}

/** The reasons why an event is parked now: that of the latest attempt to handle it, and a gap before it. */
export function reasonsOf(parked: Omit<ParkedReason, 'key'>): string[] {
  const { reason, failedAgain } = parked;
  const gap = gapBefore(parked) === undefined ? [] : [PARKED_AFTER_GAP];
  const first = reason === PARKED_LEFT_OUT && !isLeftOut(parked) ? PARKED_BEHIND : reason;
  const latest = failedAgain?.reason ?? first;
  if (latest !== PARKED_AFTER_GAP) return [latest, ...gap];
  return gap.length > 0 ? gap : [PARKED_BEHIND];
}

/** The reasons as operators see them and may select them. */
export const shownReasons = (parked: Parameters<typeof reasonsOf>[0]): string => reasonsOf(parked).join('; ');

/** The command that discards a parked event, as operators may run it. */
export const discardCommand = (group: string, eventId: string): string =>
  `'parked discard ${eventId} --group ${group} --reason "…" --confirm'`;

/** A parked event that its group will never handle, because an operator decided so. */
export type DiscardedEvent = ParkedEvent & Discard;

/** One event, among the parked ones of its key. */
export interface ParkedPlace {
  /** The event, if it is parked and not discarded. */
  readonly own?: ParkedEvent;
  readonly isDiscarded: boolean;
  /** The least and the greatest revision of the other parked events of the key; absent if there are none. */
  readonly others?: { readonly first: number; readonly last: number };
}

/** Storage for a bus's parked events. Every change is durable when its promise resolves. */
export interface ParkedEvents {
  /**
   * Adding an event that is already parked or discarded changes nothing, except that it then also marks the gap that
   * `missingFrom` tells. Of two gaps that it marks the longer one counts.
   */
  add(parked: ParkedEvent): Promise<void>;
  /**
   * Keeps an event that was found parked and is delivered again: from then on {@link removeUndone}, which an operator
   * may have begun, does not remove it. False if it is not parked any more, because it was removed or released
   * meanwhile.
   */
  keep(group: string, eventId: string): Promise<boolean>;
  /**
   * Puts an event of the log in the place of the parked one with its id, which a restore undid, if that one has another
   * revision. Adds it if none is parked; changes nothing if it is discarded. One atomic step. A gap that the former one
   * marks stays marked, unless it would end before it begins.
   */
  replace(parked: ParkedEvent): Promise<void>;
  /** In log order, without discarded events. */
  list(group?: string, key?: string): Promise<readonly ParkedEvent[]>;
  /**
   * A page of the parked events of a group, or of one of its keys, without the discarded ones, sorted by key, revision
   * and id: at most `limit` after the one given. A page costs the same however many events are parked.
   */
  reasons(group: string, limit: number, after?: ParkedReason, key?: string): Promise<readonly ParkedReason[]>;
  /** As {@link reasons}, with the events themselves. */
  page(group: string, key: string, limit: number, after?: ParkedReason): Promise<readonly ParkedEvent[]>;
  /**
   * Whether a parked event of the key waits for this one: it marks a gap that the revision is in, or is this event,
   * which an operator began to leave out ({@link isInGap}, {@link isLeftOut}).
   */
  isAwaited(group: string, key: string, event: ParkedReason['event']): Promise<boolean>;
  /** One atomic look, which costs the same however many events of the key are parked. */
  place(group: string, key: string, eventId: string): Promise<ParkedPlace>;
  /** Call when a parked event failed again in a release. What is known of the first failure stays. */
  failedAgain(group: string, eventId: string, failure: Omit<FailedRelease, 'times'>): Promise<void>;
  /** Call when the events that were missing before a parked one are parked too, or discarded. */
  gapFilled(group: string, eventId: string): Promise<void>;
  /** Call when an event was handled. It is then neither parked nor discarded. */
  remove(group: string, eventId: string): Promise<void>;
  /**
   * Discards a parked event if it is the first one of its key, so that nothing is skipped unseen; otherwise changes
   * nothing. One atomic step. What is discarded stays so, with the first actor and reason. A gap that it marks is left
   * to the next parked event of the key before that: a crash in between leaves two marks of one gap. Without one
   * nothing is discarded.
   */
  discard(group: string, eventId: string, discard: Discard): Promise<void>;
  /**
   * Removes a parked event that the log does not have, wherever it waits. It is not discarded: its id derives from a
   * command, so a repeated request may record it again, and it must then be handled. A gap that it marks is left to the
   * next parked event of the key. Without one nothing is removed, nor if it is discarded, nor if it is parked at
   * another revision: then the log has it again ({@link replace}).
   *
   * `isInLog` is asked once it is durably noted that the event is being removed. Nothing is removed if the log has the
   * event, nor if it is added, replaced or kept after the note: it was then recorded and delivered meanwhile. So a
   * crash at any point leaves an event of the log parked, or yet to be delivered.
   */
  removeUndone(group: string, eventId: string, revision: number, isInLog: () => Promise<boolean>): Promise<void>;
  /**
   * Discards those of the events that mark no gap, up to the first other event that is parked of the key. One atomic
   * step, which costs less than one for each event. Returns the ids of those that are discarded now.
   */
  discardTogether(
    group: string,
    key: string,
    eventIds: readonly string[],
    discard: Discard,
  ): Promise<ReadonlySet<string>>;
  /** In log order. */
  discarded(group?: string, key?: string): Promise<readonly DiscardedEvent[]>;
  /** One for each group that has parked events. Reads no events. */
  counts(): Promise<readonly ParkedCount[]>;
  /** The keys that have parked events of the group. */
  keys(group: string): Promise<ReadonlySet<string>>;
}
