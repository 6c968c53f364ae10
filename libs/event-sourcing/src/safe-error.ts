import { Refusal, Unavailable } from '@ponte/kernel';
import { AppendOutcomeUnknown, EventStoreUnavailable, WrongExpectedRevision } from './ports/event-store';
import { PositionBeyondLog } from './position-beyond-log';
import { UnknownEvent } from './upcasting';

/** Where an engine says what went wrong; pino's shape. Fields carry ids and names, never the data of an event. */
export interface EngineLogger {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** What may be written down of an error. */
export interface SafeError {
  readonly name: string;
  readonly message?: string;
  /** Places in the code, without the message that a stack begins with. */
  readonly at?: string;
}

const FRAMES = 8;
/** An error of an engine whose message may be logged: it names streams, events and schemas, never data. */
export abstract class LoggableError extends Error {}

/** Their messages name streams, events and what the engine said, never data. */
const OURS = [
  LoggableError,
  UnknownEvent,
  PositionBeyondLog,
  EventStoreUnavailable,
  AppendOutcomeUnknown,
  WrongExpectedRevision,
];

/**
 * The messages of our own errors carry no personal data by their definition. Those of others may quote what they choked
 * on (JSON.parse does), so of them only the name and the places are kept.
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

/** One line of {@link safeError}, for a record that people read. */
export function failureText(error: unknown): string {
  const { name, message, at } = safeError(error);
  return [name, message ?? at?.split('\n')[0]].filter(Boolean).join(': ');
}
