/** Missing events of a stream. */
export interface Gap {
  readonly from: number;
  /** The first revision after them. */
  readonly before: number;
}

/**
 * The gaps in streams that no parked event marks yet. From the first revision after a gap on, the order cannot be kept.
 * A gap is kept in memory until an event after it is parked, or until all of its events were published again.
 */
export class Gaps {
  private readonly streams = new Map<string, readonly Gap[]>();
  /** The {@link TakenMessage.assignment} in which the gaps of a stream were found. */
  private readonly assignments = new Map<string, object | undefined>();

  /**
   * An event of the stream was taken. If the partition was assigned to other members in between, they may have got the
   * missing events, and they know their own gaps: those found before are forgotten.
   */
  taken(stream: string, assignment: object | undefined): void {
    if (this.has(stream) && this.assignments.get(stream) !== assignment) this.set(stream, []);
  }

  has(stream: string): boolean {
    return this.streams.has(stream);
  }

  /**
   * The first missing revision before an event, which must then be parked; undefined if none is missing. A missing
   * event that comes again without the one before it must be parked too: once it were handled, the other would count as
   * a duplicate.
   */
  missingFrom(stream: string, revision: number): number | undefined {
    const missing = this.of(stream).flatMap(({ from }) => (from < revision ? [from] : []));
    return missing.length === 0 ? undefined : Math.min(...missing);
  }

  add(stream: string, gap: Gap, assignment?: object): void {
    this.taken(stream, assignment);
    this.assignments.set(stream, assignment);
    const same = this.of(stream).find(({ before }) => before === gap.before);
    // Of two findings the one that requires more events to be published again counts.
    const from = same ? Math.min(same.from, gap.from) : gap.from;
    this.set(stream, [...this.of(stream).filter((one) => one !== same), { from, before: gap.before }]);
  }

  /** An event after a gap was parked, and now marks it. */
  marked(stream: string, revision: number): void {
    this.set(
      stream,
      this.of(stream).filter(({ before }) => before > revision),
    );
  }

  /**
   * The group has finished with an event of the stream: handled or parked it, or does not want it. Call it in the order
   * of the stream. Missing events count only one after the other: if a relay was rewound too little, the first of them
   * does not come.
   */
  finished(stream: string, revision: number): void {
    if (!this.has(stream)) return;
    const left = this.of(stream).map((gap) => (gap.from === revision ? { ...gap, from: revision + 1 } : gap));
    this.set(
      stream,
      left.filter(({ from, before }) => from !== before),
    );
  }

  private of(stream: string): readonly Gap[] {
    return this.streams.get(stream) ?? [];
  }

  private set(stream: string, gaps: readonly Gap[]): void {
    if (gaps.length > 0) {
      this.streams.set(stream, gaps);
      return;
    }
    this.streams.delete(stream);
    this.assignments.delete(stream);
  }
}
