import { LoggableError } from '@ponte/event-sourcing';
import { Unavailable } from '@ponte/kernel';

/**
 * The meaning of a driver error. `lost`: the connection broke or may have, or the time ran out; whether the statement
 * took effect is unknown. `busy`: the server refused without any effect, and a retry may succeed. `stale`: like `busy`,
 * but the connection is unusable. `refused`: a retry would fail in the same way.
 */
type Trouble = 'lost' | 'busy' | 'stale' | 'refused';

/** PostgreSQL refused a statement. Contains only names of the schema, because the driver's errors quote values. */
export class PostgresFailure extends LoggableError {
  override readonly name = 'PostgresFailure';
  constructor(
    /** SQLSTATE, such as `42P01`. */
    readonly code: string,
    place: string,
  ) {
    super(`PostgreSQL refused a statement (${[code, place].filter(Boolean).join(', ')})`);
  }
}

interface DriverError {
  readonly code?: unknown;
  readonly table?: unknown;
  readonly constraint?: unknown;
  readonly column?: unknown;
  readonly message?: unknown;
}

const SQLSTATE = /^[0-9A-Z]{5}$/;
/**
 * Serialization failure, deadlock, lock not available, out of resources, cancelled (including after a time-out), a
 * sign-in refused while a password or a role is being changed, a failure of the server's disk.
 */
const BUSY = /^(40001|40P01|55P03|53...|57014|28...|58...)$/;
/**
 * Connection exceptions, shutdown or crash of the server, not ready yet, idle too long in a transaction, an internal
 * error. A server may report the latter for its full disk, but a pooler for a broken connection to the server, even
 * during a commit.
 */
const LOST = /^(08...|57P0[1-5]|25P03|XX000)$/;
/** A prepared statement whose table has changed since, and a server that became a read-only copy. */
const STALE_PLAN = '0A000';
const READ_ONLY = '25006';

/** The SQLSTATE of an error from the server; '' for any other error. */
const sqlState = (error: unknown): string => {
  const { code } = asDriverError(error);
  return typeof code === 'string' && SQLSTATE.test(code) ? code : '';
};

const asDriverError = (error: unknown): DriverError => (typeof error === 'object' && error !== null ? error : {});

/** What kind of failure this is, which decides whether a retry can help. */
export function troubleOf(error: unknown): Trouble {
  if (error instanceof PostgresFailure || error instanceof TypeError || error instanceof RangeError) return 'refused';
  const state = sqlState(error);
  // Without a SQLSTATE the error is not from the server: a socket, a name look-up or the driver's timeout.
  if (state === '' || LOST.test(state)) return 'lost';
  if (BUSY.test(state)) return 'busy';
  if (state === READ_ONLY || (state === STALE_PLAN && /cached plan/.test(String(asDriverError(error).message))))
    return 'stale';
  return 'refused';
}

/** Converts a driver error to one for callers. It keeps nothing of the driver's error, whose `detail` has values. */
export function reported(error: unknown): Error {
  if (
    error instanceof Unavailable ||
    error instanceof PostgresFailure ||
    error instanceof TypeError ||
    error instanceof RangeError
  )
    return error;
  if (troubleOf(error) !== 'refused')
    return new Unavailable(
      'service-unavailable',
      `the database is not available (${reason(error)}); it is safe to retry`,
    );
  const { table, constraint, column } = asDriverError(error);
  return new PostgresFailure(
    sqlState(error),
    [table, column, constraint].filter((name) => typeof name === 'string').join('.'),
  );
}

/** A code of the server or the system; never a message. */
export function reason(error: unknown): string {
  const { code } = asDriverError(error);
  return typeof code === 'string' && /^[A-Z0-9_]{1,30}$/.test(code) ? code : 'no response';
}
