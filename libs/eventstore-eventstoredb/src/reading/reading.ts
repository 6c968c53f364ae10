import { isStreamNotFound } from '../failures';
import { TimedOut } from '../time-out';

/** The client's streams of events. */
export interface Reading<T> extends AsyncIterable<T> {
  on(event: 'error', listener: (error: Error) => void): unknown;
  destroy(error?: Error): unknown;
  cancel(): Promise<void>;
}

/**
 * The events of a read, one by one as they are asked for. The client reads without a deadline, so a read that gives
 * nothing for `ms` fails with {@link TimedOut}.
 */
export async function* eventsOf<T>(reading: Reading<T>, ms: number): AsyncGenerator<T, void, undefined> {
  // The client tells of an error by emitting it, which does not end the stream.
  reading.on('error', (error) => {
    reading.destroy(error);
  });
  let ended = false;
  const watchdog = setTimeout(() => {
    reading.destroy(new TimedOut(ms));
  }, ms);
  try {
    for await (const event of reading) {
      watchdog.refresh();
      yield event;
    }
    ended = true;
  } catch (error) {
    // Of a stream that there is not the server says so, and no more.
    ended = isStreamNotFound(error);
    throw error;
  } finally {
    clearTimeout(watchdog);
    // A read that has come to its end needs no cancelling: each would be a reset on the wire, and a server that sees
    // many closes the connection.
    if (!ended) reading.cancel().catch(() => undefined);
  }
}
