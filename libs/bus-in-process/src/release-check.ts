import type { EventStore, ParkedEvent, Recorded } from '@ponte/event-sourcing';
import { gapBefore, ReleaseRefused, revisionsText } from '@ponte/event-sourcing';

/** How many events before a gap of unknown beginning are searched for one that the group wants. */
const SEARCHED = 100;

export interface ReleaseCheckParts {
  /** The log that the events come from. Without it, each revision in a gap counts as an event that the group wants. */
  readonly log?: Pick<EventStore, 'read'>;
  readonly isWanted: (event: Recorded) => boolean;
}

/** Parked events that may not be handled yet, because events before one of them are missing. */
export interface OpenGap {
  /** The event that marks the gap. */
  readonly mark: ParkedEvent;
  /** No event from this revision on may be handled. */
  readonly from: number;
  /** The missing revisions that the group wants, ascending. */
  readonly missing: readonly number[];
  /** Those of them that the log has; all of them if there is a log. */
  readonly events: readonly Recorded[];
}

/** Finds out from the log what may not be released. */
export class ReleaseCheck {
  constructor(private readonly parts: ReleaseCheckParts) {}

  /**
   * The gaps that parked events of one stream mark. A missing event that is parked or discarded meanwhile fills its
   * place. Events that the log does not have are not missing.
   */
  async gaps(
    waiting: readonly ParkedEvent[],
    discarded: readonly ParkedEvent[],
  ): Promise<{ readonly filled: readonly ParkedEvent[]; readonly open: readonly OpenGap[] }> {
    const known = new Set([...waiting, ...discarded].map(({ event }) => event.revision));
    const [filled, open]: [ParkedEvent[], OpenGap[]] = [[], []];
    for (const mark of waiting) {
      const gap = gapBefore(mark);
      if (gap === undefined) continue;
      const { revision } = mark.event;
      const wanted = await this.wanted(mark.key, gap.from, revision);
      const missing = wanted.filter((one) => !known.has(one.revision));
      if (missing.length === 0) filled.push(mark);
      else
        open.push({
          mark,
          from: gap.from ?? Math.min(...missing.map((one) => one.revision)),
          missing: missing.map((one) => one.revision),
          events: missing.filter((one): one is Recorded => 'id' in one),
        });
    }
    return { filled, open };
  }

  /** Refuses an event that the log does not have: it was lost when the log was restored to an earlier state. */
  async assertInLog({ group, event }: ParkedEvent): Promise<void> {
    const { log } = this.parts;
    if (!log) return;
    const [found] = await log.read(event.stream, { from: event.revision, limit: 1 });
    if (found?.id === event.id) return;
    throw new ReleaseRefused(
      `${event.revision} ${event.type} ${event.id} of ${event.stream} is not in the log`,
      `it is of a time that a restore undid, so it must not be handled; discard it with "parked discard ${event.id} ` +
        `--group ${group}", then release the stream again`,
    );
  }

  /** The events in a gap that the group wants. */
  private async wanted(
    stream: string,
    from: number | undefined,
    before: number,
  ): Promise<readonly (Recorded | { readonly revision: number })[]> {
    const { log, isWanted } = this.parts;
    const first = Math.max(0, from ?? before - (log ? SEARCHED : 1));
    if (before <= first) return [];
    if (!log) return Array.from({ length: before - first }, (_, at) => ({ revision: first + at }));
    const events = await log.read(stream, { from: first, limit: before - first });
    const wanted = events.filter((one) => one.revision < before && isWanted(one));
    // It is only known that the last one is missing.
    return from === undefined ? wanted.slice(-1) : wanted;
  }
}

/** Why the events behind a gap are not released, and what to do. */
export function refusalOf({ mark: { group, key, event }, missing, events }: OpenGap): ReleaseRefused {
  const gap = revisionsText(missing);
  const named = events.map(({ revision, type, id }) => `${revision} ${type} ${id}`).slice(0, 5);
  const more = events.length > named.length ? `, … (${events.length} events)` : '';
  return new ReleaseRefused(
    `revisions ${gap} of ${key} are missing before revision ${event.revision}`,
    [
      ...(named.length > 0 ? [`${named.join(', ')}${more}`] : []),
      'rewind the relay of the service to have them published again, wait until its lag and that of the consumers are ' +
        'zero, and repeat the command',
      `only if ${group} must never handle them, add --gap ${gap}: it discards them and handles the rest`,
    ].join('; '),
  );
}
