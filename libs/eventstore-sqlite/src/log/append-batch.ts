import type { Appended, EventToAppend } from '@ponte/event-sourcing';
import { NO_STREAM, WrongExpectedRevision } from '@ponte/event-sourcing';
import type { NewRow } from './event-table';
import { bodyOf } from './event-table';

/** One call of `append` that waits for its commit. */
export interface Waiting {
  readonly stream: string;
  readonly expected: number;
  readonly events: readonly EventToAppend[];
  readonly bodies: readonly string[];
  readonly kept: (appended: Appended) => void;
  readonly failed: (reason: Error) => void;
}

/** Prepares an append. The events are serialized now, so later changes to them have no effect. */
export function waiting(
  stream: string,
  expected: number,
  events: readonly EventToAppend[],
  kept: Waiting['kept'],
  failed: Waiting['failed'],
): Waiting {
  return { stream, expected, events, bodies: events.map(bodyOf), kept, failed };
}

/** The state of the log before a batch. */
export interface Known {
  /** Position of the last event in the log. */
  head(): number;
  /** Like {@link Known.headOf}, but without a query; undefined if only a query could answer. */
  headInMemory(stream: string): number | undefined;
  /** Revision of the last event; -1 if the stream does not exist. */
  headOf(stream: string): number;
  /** Ids and positions of consecutive committed events. */
  run(stream: string, from: number, limit: number): readonly { readonly id: string; readonly position: string }[];
}

type Answer = () => void;

/**
 * Checks the appends of one transaction in the order of their calls. An append whose check fails does not affect the
 * others. Callers get no result before {@link AppendBatch.answer}.
 */
export class AppendBatch {
  readonly rows: NewRow[] = [];
  /** Stream heads after this batch. */
  readonly heads = new Map<string, number>();
  private readonly answers: Answer[] = [];
  /** Position of the last event before this batch. */
  private readonly before: number;
  /** Whether a stream was assumed to be new because no head of it is in memory. */
  assumedNew = false;

  /**
   * With `assumeNew`, an append that starts a stream is not preceded by a query for the stream. Nearly always it is
   * new; if not, the table's unique index refuses the rows. The query took 5 % of a quote's CPU time.
   */
  constructor(
    private readonly known: Known,
    appends: readonly Waiting[],
    private readonly assumeNew: boolean,
  ) {
    this.before = known.head();
    for (const append of appends) this.check(append);
  }

  answer(): void {
    for (const answer of this.answers) answer();
  }

  private check(append: Waiting): void {
    const { stream, expected, kept, failed } = append;
    const head = this.heads.get(stream) ?? this.headBefore(stream, expected);
    if (head === expected) return this.addEvents(append);
    const repeated = head > expected ? this.earlier(append) : undefined;
    if (repeated) this.answers.push(() => kept(repeated));
    else this.answers.push(() => failed(new WrongExpectedRevision(stream, expected, head)));
  }

  private headBefore(stream: string, expected: number): number {
    const known = this.known.headInMemory(stream);
    if (known !== undefined) return known;
    if (!this.assumeNew || expected !== NO_STREAM) return this.known.headOf(stream);
    this.assumedNew = true;
    return NO_STREAM;
  }

  private addEvents({ stream, expected, events, bodies, kept }: Waiting): void {
    let revision = expected;
    for (const event of events) {
      const body = bodies[revision - expected] as string;
      revision += 1;
      this.rows.push({ position: this.before + this.rows.length + 1, stream, revision, body, event });
    }
    this.heads.set(stream, revision);
    const appended: Appended = { revision, position: String(this.before + this.rows.length) };
    this.answers.push(() => kept(appended));
  }

  /** The first result of a repeated append: the same ids follow directly after the expected revision. */
  private earlier({ stream, expected, events }: Waiting): Appended | undefined {
    const stored = [
      ...this.known.run(stream, expected + 1, events.length),
      ...this.rows.flatMap((row) =>
        row.stream === stream && row.revision > expected ? [{ id: row.event.id, position: String(row.position) }] : [],
      ),
    ];
    const last = stored[events.length - 1];
    return last && events.every(({ id }, at) => stored[at]?.id === id)
      ? { revision: expected + events.length, position: last.position }
      : undefined;
  }
}
