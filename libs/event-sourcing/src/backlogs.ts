/** How late one reader of the log, or one consumer of the bus, finishes what it reads. */
export interface Backlog {
  readonly reader: string;
  /** Age of the freshest event that it finished in its last second, milliseconds. */
  readonly behindMs: number;
}

/** How far the processes of an installation are behind with what was accepted, for load shedding. */
export interface Backlogs {
  /** The worst of this process; null when it is behind with nothing. Counts for {@link BACKLOG_COUNTS_MS}. */
  tell(worst: Backlog | null): Promise<void>;
  /** The worst of all processes. */
  worst(): Promise<Backlog | null>;
}

/** How long the report of a process counts: one that died, or finishes nothing, is not busy. */
export const BACKLOG_COUNTS_MS = 5_000;
