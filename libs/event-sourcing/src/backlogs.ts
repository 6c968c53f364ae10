/** How far one reader of the log, or one consumer of the bus, lags behind. */
export interface Backlog {
  readonly reader: string;
  /** The lowest age, in milliseconds, among the events that it finished in its last second. */
  readonly behindMs: number;
}

/** How far the processes of an installation lag behind the accepted work. Used for load shedding. */
export interface Backlogs {
  /**
   * Reports the worst backlog of this process, or null if it has none. A report is valid for {@link BACKLOG_COUNTS_MS}.
   */
  report(worst: Backlog | null): Promise<void>;
  /** The worst valid backlog of all processes. */
  worst(): Promise<Backlog | null>;
}

/** How long a report is valid, in milliseconds. A process that died or finishes nothing does not count as busy. */
export const BACKLOG_COUNTS_MS = 5_000;
