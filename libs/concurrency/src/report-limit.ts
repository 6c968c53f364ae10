/** The same failure is reported at most once in this time, in milliseconds. */
const REPORT_EVERY_MS = 10_000;
/** The number of kinds of failures that are remembered. */
const MAX_KINDS = 100;

/** For the fields of a log line; both are absent when the failure is reported for the first time. */
interface Repeats {
  /** How often the failure has occurred since the previous report, this time included. */
  readonly times?: number;
  /** How long ago the previous report was, in whole seconds. */
  readonly secondsSinceReport?: number;
}

/**
 * Limits the log lines of an outage, during which many operations fail for one reason, each of them again at every
 * attempt.
 */
export class ReportLimit {
  /** When each kind of failure was reported last, and how often it has occurred since. */
  private readonly reported = new Map<string, { readonly at: number; times: number }>();

  /** `steadyNow`: milliseconds since any time. */
  constructor(private readonly steadyNow: () => number = () => performance.now()) {}

  /**
   * Calls `report` unless the same kind of failure was reported a moment ago. What occurs in between is counted in the
   * next report.
   */
  note(kind: string, report: (repeats: Repeats) => void): void {
    const now = this.steadyNow();
    const last = this.reported.get(kind);
    const times = (last?.times ?? 0) + 1;
    if (last && now - last.at < REPORT_EVERY_MS) {
      last.times = times;
      return;
    }
    if (!last && this.reported.size >= MAX_KINDS) this.reported.clear();
    this.reported.set(kind, { at: now, times: 0 });
    report(last ? { times, secondsSinceReport: Math.round((now - last.at) / 1_000) } : {});
  }
}
