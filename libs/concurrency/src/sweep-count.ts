import type { Clock } from '@ponte/kernel';

/** How long the result of a run is reported after its end, in milliseconds. By then another process may be sweeping. */
const REPORTED_MS = 60_000;

/** Counts what a sweep finds, for a gauge that must show a finding until a sweep no longer finds it. */
export class SweepCount {
  /** The last run that ended, unless that was long ago when the next began. */
  private last: { readonly at: number; readonly count: number } | undefined;
  /** What the current run has found so far; null while none runs. */
  private current: number | null = null;

  constructor(private readonly clock: Clock) {}

  /**
   * One run at a time. `sweep` calls `found` for each finding. `rest`: other work of the same run; its failure does not
   * discard the result. Throws what `sweep` or `rest` throws; the result of a sweep that failed does not count.
   */
  async run(sweep: (found: () => void) => Promise<void>, rest?: () => Promise<void>): Promise<void> {
    if (!this.isRecent()) this.last = undefined;
    let count = 0;
    this.current = 0;
    try {
      await sweep(() => (this.current = count += 1));
      this.ended(count);
      try {
        await rest?.();
      } finally {
        this.ended(count);
      }
    } finally {
      this.current = null;
    }
  }

  /** A run may take longer than its result is reported, so the previous result counts until the run ends. */
  value(): number {
    const isLastReported = this.current !== null || this.isRecent();
    return Math.max(isLastReported ? (this.last?.count ?? 0) : 0, this.current ?? 0);
  }

  private ended(count: number): void {
    this.last = { at: this.clock.now(), count };
  }

  private isRecent(): boolean {
    return this.last !== undefined && this.clock.now() - this.last.at < REPORTED_MS;
  }
}
