import type { EngineLogger } from '@ponte/event-sourcing';
import type { Signal } from '@ponte/concurrency';
import type { ForeignEvent } from './foreign-event';
import type { StoreFaults } from '../store-faults';

export interface ReaderParts {
  readonly name: string;
  readonly logger: EngineLogger;
  readonly faults: StoreFaults;
  readonly isSkipped: (stream: string, revision: string) => Promise<boolean>;
  /** Rung when the reader is closed. */
  readonly signal: Signal;
  readonly isClosed: () => boolean;
}

const RETRY_MS = 1_000;

/**
 * Stops a reader before an event that it cannot read. Returns true once an operator has decided to skip the event, and
 * false if the reader is closed first.
 */
export async function waitForSkip(
  foreign: ForeignEvent,
  { name, logger, faults, isSkipped, signal, isClosed }: ReaderParts,
  onWait: () => void,
): Promise<boolean> {
  const { stream, revision, id } = foreign;
  while (!isClosed()) {
    if (await isSkipped(stream, revision).catch(() => false)) {
      logger.warn(
        { reader: name, stream, revision, event: id },
        'an event that this system did not write is skipped, as an operator requested',
      );
      faults.clear(name, 'foreign-event');
      return true;
    }
    onWait();
    const text =
      `${foreign.message}; ${name} has stopped before it. Find out who wrote it; the operator command "log skip" ` +
      'skips it';
    if (faults.raise({ kind: 'foreign-event', reader: name, stream, revision, text }))
      logger.error({ reader: name, stream, revision, event: id }, text);
    const until = performance.now() + RETRY_MS;
    while (!isClosed() && performance.now() < until) await signal.wait(until - performance.now());
  }
  return false;
}
