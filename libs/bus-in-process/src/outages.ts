import { AppendOutcomeUnknown, EventStoreUnavailable } from '@ponte/event-sourcing';
import { Unavailable } from '@ponte/kernel';

/** Codes of Node and of SQLite that speak of the wire, the disk or a busy file, and never of what was sent. */
const CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'EHOSTDOWN',
  'ENOSPC',
  'EDQUOT',
  'EROFS',
  'EIO',
  'EMFILE',
  'ENFILE',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_SOCKET',
  'SQLITE_BUSY',
  'SQLITE_LOCKED',
  'SQLITE_FULL',
  'SQLITE_READONLY',
]);
/** Of errors that wrap others; more levels than any library makes. */
const MAX_CAUSES = 5;
/** What {@link failureText} makes of them. */
const REASONS = /^(Unavailable|EventStoreUnavailable|AppendOutcomeUnknown)\b/;
/** What it makes of an `Unavailable` that is a fault of the service that answered. */
const UNEXPECTED = /^Unavailable: unexpected /;

/**
 * True when the trouble is that something cannot be reached or written at the moment. The event is then healthy, and
 * waiting helps.
 */
export function isOutage(error: unknown): boolean {
  for (let at = error, level = 0; at instanceof Error && level < MAX_CAUSES; at = at.cause, level += 1) {
    if (at instanceof Unavailable) return !at.unexpected;
    if (at instanceof EventStoreUnavailable || at instanceof AppendOutcomeUnknown) return true;
    const { code } = at as { code?: unknown };
    if (typeof code === 'string' && (CODES.has(code) || code.startsWith('SQLITE_IOERR'))) return true;
    // kafkajs says of each of its errors whether another try may pass.
    if (at.name.startsWith('KafkaJS') && (at as { retriable?: unknown }).retriable === true) return true;
  }
  return false;
}

/** The same of the reason that a parked event was stored with. */
export const isOutageReason = (reason: string): boolean => REASONS.test(reason) && !UNEXPECTED.test(reason);
