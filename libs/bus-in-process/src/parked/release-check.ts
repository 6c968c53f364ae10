import type { EventStore, ParkedEvent, ParkedReason, Recorded } from '@ponte/event-sourcing';
import {
  discardCommand,
  findEvent,
  gapBefore,
  NamedRevisions,
  pagesOf,
  ReleaseRefused,
  revisionsText,
} from '@ponte/event-sourcing';

export interface ReleaseCheckParts {
  /** The log that the events come from. Without it, each revision in a gap counts as an event that the group wants. */
  readonly log?: Pick<EventStore, 'read'>;
  readonly isRelevant: (event: Recorded) => boolean;
}

/** Parked events that may not be handled yet, because events before one of them are missing. */
export interface OpenGap {
  /** The event that marks the gap. */
  readonly mark: Mark;
  /** No event from this revision on may be handled. */
  readonly from: number;
  /** The missing revisions that the group wants, ascending. */
  readonly missing: readonly number[];
  /** Those of them that the log has; all of them if there is a log. */
  readonly events: readonly Recorded[];
  /** If not, all events before the mark count, because those that were handled are not known. */
  readonly isBeginningKnown: boolean;
}

/** A parked event that marks a gap. */
type Mark = Pick<ParkedReason, 'key' | 'event'>;

/** An event that a gap misses; only its revision is known if there is no log. */
type Missing = Recorded | { readonly revision: number };

/** Finds out from the log what may not be released. */
export class ReleaseCheck {
  constructor(private readonly parts: ReleaseCheckParts) {}

  /**
   * The gaps in one stream that its parked events mark, the first one first; gaps that overlap are one. A missing event
   * that is parked or discarded meanwhile fills its place. One of `undecided`, which another release began to leave
   * out, does not, and marks a gap itself. Events that the log does not have are not missing, and fill no place.
   */
  async gaps(
    key: string,
    waiting: readonly ParkedReason[],
    discarded: readonly ParkedEvent[],
    undecided: readonly Recorded[],
  ): Promise<{ readonly filled: readonly ParkedReason[]; readonly open: readonly OpenGap[] }> {
    const isUndecided = new Set(undecided.map(({ id }) => id));
    const known = [...waiting, ...discarded].map(({ event }) => event).filter(({ id }) => !isUndecided.has(id));
    const [ids, revisions] = [new Set(known.map(({ id }) => id)), new Set(known.map(({ revision }) => revision))];
    const isKnown = (one: Missing): boolean => ('id' in one ? ids.has(one.id) : revisions.has(one.revision));
    const [filled, open]: [ParkedReason[], OpenGap[]] = [[], []];
    for (const mark of waiting) {
      const gap = gapBefore(mark);
      if (gap === undefined) continue;
      // Without a log only the nearest event is known to be missing.
      const from = gap.from ?? (this.parts.log ? 0 : Math.max(0, mark.event.revision - 1));
      const missing = (await this.relevant(mark, from)).filter((one) => !isKnown(one));
      if (missing.length === 0) filled.push(mark);
      else open.push(openGap(mark, missing, from, gap.from !== undefined));
    }
    const last = undecided.at(-1);
    if (last) {
      const behind = waiting.find(({ event }) => event.revision > last.revision)?.event ?? last;
      open.push(openGap({ key, event: behind }, undecided, undecided[0]?.revision ?? 0, true));
    }
    return { filled, open: merged(open) };
  }

  /** Refuses an event that the log does not have: it was lost when the log was restored to an earlier state. */
  async assertInLog(group: string, event: Recorded): Promise<void> {
    const { log } = this.parts;
    if (!log) return;
    const [found] = await log.read(event.stream, { from: event.revision, limit: 1 });
    if (found?.id === event.id) return;
    const again = await findEvent(log, event.stream, event);
    if (again)
      throw new ReleaseRefused(
        `the log has ${event.id} of ${event.stream} at revision ${again.revision}, not ${event.revision}`,
        'it was recorded again after a restore; rewind the relay of the service that recorded it, wait until it and ' +
          'the consumers have caught up (docs/operations/commands.md), and repeat the command',
      );
    throw new ReleaseRefused(
      `${event.revision} ${event.type} ${event.id} of ${event.stream} is not in the log`,
      `it is of a time that a restore undid, so it must not be handled; discard it with ` +
        `${discardCommand(group, event.id)}, then release the stream again`,
    );
  }

  /** The events from a revision up to the mark that the group wants. */
  private async relevant({ key, event: { revision: end } }: Mark, first: number): Promise<readonly Missing[]> {
    const { log, isRelevant } = this.parts;
    if (!log) return Array.from({ length: Math.max(0, end - first) }, (_, at) => ({ revision: first + at }));
    const relevant: Recorded[] = [];
    for await (const page of pagesOf(log, key, first, end - first))
      relevant.push(...page.filter((one) => one.revision < end && isRelevant(one)));
    return relevant;
  }
}

const openGap = (mark: Mark, missing: readonly Missing[], from: number, isBeginningKnown: boolean): OpenGap => ({
  ...{ mark, from, isBeginningKnown },
  missing: missing.map(({ revision }) => revision),
  events: missing.filter((one): one is Recorded => 'id' in one),
});

/** Gaps in their order, those that overlap as one: what is left out for one of them must be left out for the other. */
function merged(gaps: readonly OpenGap[]): readonly OpenGap[] {
  const openGaps: OpenGap[] = [];
  for (const gap of [...gaps].sort((a, b) => a.from - b.from)) {
    const last = openGaps.at(-1);
    if (!last || gap.from >= last.mark.event.revision) openGaps.push(gap);
    else openGaps[openGaps.length - 1] = union(last, gap);
  }
  return openGaps;
}

function union(a: OpenGap, b: OpenGap): OpenGap {
  const events = new Map([...a.events, ...b.events].map((event) => [event.id, event]));
  return {
    mark: a.mark.event.revision < b.mark.event.revision ? b.mark : a.mark,
    from: a.from,
    missing: [...new Set([...a.missing, ...b.missing])].sort((one, other) => one - other),
    events: [...events.values()].sort((one, other) => one.revision - other.revision),
    isBeginningKnown: a.isBeginningKnown && b.isBeginningKnown,
  };
}

/** Why the events behind a gap are not released, and what to do. */
export function refusalOf(group: string, gap: OpenGap): ReleaseRefused {
  const { mark, missing, events, isBeginningKnown } = gap;
  const { key, event } = mark;
  const revisions = revisionsText(missing);
  const named = events.map(({ revision, type, id }) => `${revision} ${type} ${id}`).slice(0, 5);
  const more = events.length > named.length ? `, … (${events.length} events)` : '';
  return new ReleaseRefused(
    `revisions ${revisions} of ${key} are missing before revision ${event.revision}`,
    [
      ...(named.length > 0 ? [`${named.join(', ')}${more}`] : []),
      'rewind the relay of the service that recorded them to have them published again, wait until it and the ' +
        'consumers have caught up (docs/operations/commands.md), and repeat the command',
      ...(isBeginningKnown
        ? []
        : [
            'it is not known where the gap begins, so all earlier events are named; handling one of them again has ' +
              'no second effect',
          ]),
      `only if ${group} must never handle them, add --gap ${revisions}: it discards them and handles the rest`,
    ].join('; '),
  );
}

/**
 * Refuses a release that does not name exactly what is missing. Events that were discarded already may be named too, so
 * that the command of an interrupted release can be repeated as it was.
 */
export function assertNamed(
  group: string,
  revisions: string,
  gap: OpenGap | undefined,
  discarded: readonly ParkedEvent[],
): void {
  const named = new NamedRevisions(revisions);
  const before = discarded.map(({ event }) => event.revision).filter((one) => named.has(one));
  if (named.areExactly(new Set([...(gap?.missing ?? []), ...before]))) return;
  if (gap) throw refusalOf(group, gap);
  throw new ReleaseRefused('no events of the stream are missing', 'repeat the command without --gap');
}
