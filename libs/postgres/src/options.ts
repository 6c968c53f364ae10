import type { EngineLogger } from '@ponte/event-sourcing';

export interface PostgresOptions {
  /** `postgres://user:password@host:5432/ponte?sslmode=verify-full&sslrootcert=/etc/ponte/ca.crt`. */
  readonly url: string;
  /** The schema of this process's tables; each service has its own. */
  readonly schema: string;
  readonly logger: EngineLogger;
  /** Name of this process in the server's monitoring. */
  readonly applicationName?: string;
  readonly limits?: Partial<PostgresLimits>;
}

/** Limits of a process, in milliseconds where the name says so. */
export interface PostgresLimits {
  /**
   * Connections of this process. The total of all processes must stay below the server's `max_connections`, which is
   * 100 by default.
   */
  readonly connections: number;
  /**
   * The largest number of statements waiting for a connection. If more arrive, the server cannot keep up, and callers
   * are refused at once.
   */
  readonly waiting: number;
  /** Time limit for a connection to be opened or to become free. */
  readonly connectMs: number;
  /** The server cancels a statement after this time. */
  readonly statementMs: number;
  /** How long a statement waits for a row locked by another transaction. */
  readonly lockMs: number;
  /** If the server does not answer within this time after `statementMs`, the connection counts as lost. */
  readonly silenceMs: number;
  /** How long a repeatable statement is retried while the server is unavailable. A restart is usually shorter. */
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
