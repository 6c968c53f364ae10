import { createParser } from 'eventsource-parser';
import type { EventSourceMessage } from 'eventsource-parser';

/** An item of a stream: an event, or a heartbeat without one. */
export type StreamSignal =
  | { readonly kind: 'event'; readonly event: EventSourceMessage }
  | { readonly kind: 'alive' }
  /** The server requests this delay before the next connection. */
  | { readonly kind: 'retry'; readonly ms: number };

/** The connection broke, or nothing arrived for longer than the server's heartbeat. */
export class StreamLost extends Error {}

/**
 * Reads Server-Sent Events until the stream ends, breaks or is silent for `idleTimeoutMs`. Closes the connection when
 * the caller stops.
 */
export async function* readEventStream(
  body: ReadableStream<Uint8Array>,
  idleTimeoutMs: number,
): AsyncGenerator<StreamSignal, void> {
  const signals: StreamSignal[] = [];
  const parser = createParser({
    onEvent: (event) => signals.push({ kind: 'event', event }),
    onComment: () => signals.push({ kind: 'alive' }),
    onRetry: (ms) => signals.push({ kind: 'retry', ms }),
  });
  const reader = body.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await withIdleTimeout(reader.read(), idleTimeoutMs);
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      yield* signals.splice(0);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function withIdleTimeout<Value>(promise: Promise<Value>, ms: number): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const idle = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new StreamLost(`nothing arrived for ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([promise, idle]);
  } catch (error) {
    throw error instanceof StreamLost ? error : new StreamLost(String(error), { cause: error });
  } finally {
    clearTimeout(timer);
  }
}
