import { Refusal, Unavailable } from '@ponte/kernel';
import { AppendOutcomeUnknown, EventStoreUnavailable, WrongExpectedRevision } from './ports/event-store';
import { PositionBeyondLog } from './position-beyond-log';
import { UnknownEvent } from './decider';

/** Logger of the engines, in pino's shape. Fields contain ids and names, never the data of an event. */
export interface EngineLogger {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** The parts of an error that may be logged. */
interface SafeError {
  readonly name: string;
  readonly message?: string;
  /** Stack frames, without the message at the top of a stack. */
  readonly at?: string;
}

const FRAMES = 8;
/** An error of an engine whose message may be logged: it names streams, events and schemas, never data. */
export abstract class LoggableError extends Error {}

/** Their messages name streams, events and what the engine reported, never data. */
const OURS = [
  LoggableError,
  UnknownEvent,
  PositionBeyondLog,
  EventStoreUnavailable,
  AppendOutcomeUnknown,
  WrongExpectedRevision,
];

/**
 * Messages of our own errors contain no personal data by definition. Messages of other errors may quote their input
 * (JSON.parse does), so only the name and the stack frames are kept.
 */
export function safeError(error: unknown): SafeError {
  if (!(error instanceof Error)) return { name: typeof error };
  if (error instanceof Refusal || error instanceof Unavailable) {
    const kind = error instanceof Unavailable && error.unexpected ? 'unexpected ' : '';
    return { name: error.name, message: `${kind}${error.code}: ${error.message}` };
  }
  if (OURS.some((known) => error instanceof known)) return { name: error.name, message: error.message };
  const frames = (error.stack ?? '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, FRAMES);
  return { name: error.name, at: frames.map((line) => line.trim()).join('\n') };
}

/** {@link safeError} as one line, for records that people read. */
export function failureText(error: unknown): string {
  const { name, message, at } = safeError(error);
  return [name, message ?? at?.split('\n')[0]].filter(Boolean).join(': ');
}
