/** The usual limit for bodies. */
export const MAX_BODY_BYTES = 64 * 1024;

/** Limits on the number of connections, and on what a connection may hold and for how long (milliseconds). */
export interface ConnectionLimits {
  /** Connections from one address, unless it is a trusted proxy. */
  readonly perAddress: number;
  /** Requests of one connection without a complete response. */
  readonly pipelined: number;
  /** Bytes of unread responses of all connections together. */
  readonly unreadBytes: number;
  /** The time within which a caller has to read `PIECE_BYTES` of what waits for it, or all of it. */
  readonly writeStallMs: number;
  readonly checkEveryMs: number;
}

const MB = 1024 * 1024;

export const CONNECTION_LIMITS: ConnectionLimits = {
  perAddress: 1_000,
  pipelined: 16,
  unreadBytes: 64 * MB,
  writeStallMs: 10_000,
  checkEveryMs: 500,
};

/** How long a caller may keep a connection waiting, in milliseconds. Slow callers must not hold sockets. */
export interface EdgeTimeouts extends ConnectionLimits {
  /** From the first byte of a request, or the opening of the connection, to the last byte of its headers. */
  readonly headersMs: number;
  /** From there to the last byte of its body. */
  readonly requestMs: number;
  /** How often Node checks for requests that are late. */
  readonly lateEveryMs: number;
}

export const EDGE_TIMEOUTS: EdgeTimeouts = {
  ...CONNECTION_LIMITS,
  headersMs: 10_000,
  requestMs: 30_000,
  lateEveryMs: 1_000,
};
