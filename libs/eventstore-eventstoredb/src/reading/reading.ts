import { isStreamNotFound } from '../failures';
import { TimedOut } from '@ponte/concurrency';

/** A stream of events of the client. */
interface Reading<T> extends AsyncIterable<T> {
  on(event: 'error', listener: (error: Error) => void): unknown;
  destroy(error?: Error): unknown;
  cancel(): Promise<void>;
}

/**
 * Iterates over the events of a read. The client reads without a deadline, so a read that delivers nothing for `ms`
 * fails with {@link TimedOut}.
 */
export async function* eventsOf<T>(reading: Reading<T>, ms: number): AsyncGenerator<T, void, undefined> {
  // The client reports an error by emitting it, which does not end the stream.
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
    // For a stream that does not exist, the server sends only this error and ends the call.
    ended = isStreamNotFound(error);
    throw error;
  } finally {
    clearTimeout(watchdog);
    // A finished read must not be cancelled: each cancellation resets a stream of the connection, and a server that
    // sees many resets closes the connection.
    if (!ended) reading.cancel().catch(() => undefined);
  }
}
