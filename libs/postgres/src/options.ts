import type { EngineLogger } from '@ponte/event-sourcing';

export interface PostgresOptions {
  /** `postgres://user:password@host:5432/ponte?sslmode=verify-full&sslrootcert=/etc/ponte/ca.crt`. */
  readonly url: string;
  /** Where the tables of this process lie: a service has a schema of its own. */
  readonly schema: string;
  readonly logger: EngineLogger;
  /** What the server's own monitoring calls this process. */
  readonly applicationName?: string;
  readonly limits?: Partial<PostgresLimits>;
}

/** How many and how long; milliseconds where a name says so. */
export interface PostgresLimits {
  /**
   * Of this process. All processes together must stay below the server's `max_connections`, which is 100 as it comes.
   */
  readonly connections: number;
  /** Statements that may wait for a connection; beyond it the server cannot keep up and callers are refused at once. */
  readonly waiting: number;
  /** For a connection to be made, or to become free. */
  readonly connectMs: number;
  /** After so long the server gives a statement up. */
  readonly statementMs: number;
  /** How long a statement waits for a row that another holds. */
  readonly lockMs: number;
  /** A server that is silent for this long after `statementMs` counts as lost. */
  readonly silenceMs: number;
  /** How long a repeatable statement is tried again while the server is away: a restart is usually shorter. */
  readonly patienceMs: number;
}

export const LIMITS: PostgresLimits = {
  connections: 5,
  waiting: 5_000,
  connectMs: 3_000,
  statementMs: 10_000,
  lockMs: 5_000,
  silenceMs: 2_000,
  patienceMs: 5_000,
};
