import type { LoggerService } from '@nestjs/common';
import type { DestinationStream, Logger } from 'pino';
import pino from 'pino';
import { loggedError } from './logged-error';

/** Fields that are never logged, even if code passes them by mistake. */
const REDACTED = [
  'authorization',
  'secret',
  'taxId',
  'legalName',
  'email',
  'phone',
  'publicKey',
  'accountNumber',
].flatMap((name) => [name, `*.${name}`]);

/** `origin` returns the trace of the running work, for lines that do not contain it. Absent if nothing is traced. */
export const createLogger = (
  name: string,
  level: string,
  origin?: () => object,
  destination: DestinationStream = pino.destination(2),
): Logger =>
  pino(
    {
      name,
      level,
      ...(origin ? { mixin: origin } : {}),
      redact: { paths: REDACTED, censor: '[redacted]' },
      serializers: { err: loggedError },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    destination,
  );

/** Writes Nest's own messages to the same log. */
export function nestLogger(logger: Logger): LoggerService {
  const at =
    (level: 'info' | 'error' | 'warn' | 'debug') =>
    (message: unknown, ...rest: unknown[]) => {
      const context = rest.at(-1);
      logger[level]({ nest: typeof context === 'string' ? context : undefined }, String(message));
    };
  return { log: at('debug'), error: at('error'), warn: at('warn'), debug: at('debug'), verbose: at('debug') };
}

/** Logs a warning for a snapshot that cannot be used. Commands continue without it, but the next restart is slower. */
export const reportFailedSnapshots =
  (logger: Logger) =>
  (stream: string, error: unknown): void =>
    logger.warn(
      { stream, failure: error instanceof Error ? error.message : typeof error },
      'a snapshot could not be read or written; the stream is folded from its events instead',
    );
