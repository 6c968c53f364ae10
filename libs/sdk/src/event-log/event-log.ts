import { isApiError, PonteConnectionError } from '../errors';
import type { PonteApiError } from '../errors';
import type { EventLogOptions, LoggedEvent } from './event-log-options';
import { readEventStream, StreamLost } from './event-stream';
import { delayBefore, isTransient, pause } from '../retry';
import type { OpenResponse, OutgoingRequest, Transport } from '../transport';
import { readJson } from '../transport';
import type { WebhookEvent } from '../webhooks/webhook-event';

interface ListedEvents {
  readonly events: readonly { readonly number: number; readonly event: WebhookEvent }[];
  readonly 'next-after': number;
  /** Whether there were further events. */
  readonly more: boolean;
}

interface ListedPage {
  readonly events: readonly LoggedEvent[];
  readonly next: number;
  readonly more: boolean;
}

const POLL_MS = 2_000;
const IDLE_MS = 60_000;
const PAGE = 200;
const STREAM = 'text/event-stream';

/** True for an installation without streams, or a proxy that does not support them. */
const isWithoutStreams = ({ status, code }: PonteApiError): boolean =>
  status === 406 || status === 415 || code === 'route-not-found';

/** The status or the content type shows that the server does not stream. */
class NotStreamed extends Error {}

/** The server ended the stream normally, as before a restart. */
class StreamEnded extends Error {}

/** Reads the event log of one account, over connections that may break at any time. */
export class EventLog implements AsyncIterable<LoggedEvent> {
  /** The failures since data last arrived, and the delay requested by the server, determine the next pause. */
  private failures = 0;
  private retryMs: number | null = null;

  constructor(
    private readonly transport: Transport,
    private readonly accountId: string,
    private readonly options: EventLogOptions,
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<LoggedEvent, void> {
    const { signal, after } = this.options;
    try {
      let position = after === 'latest' ? await this.latest() : (after ?? 0);
      let streams = this.options.transport !== 'poll' && this.options.follow !== false;
      while (!signal?.aborted) {
        try {
          for await (const logged of streams ? this.streamed(position) : this.polled(position)) {
            position = logged.position;
            yield logged;
          }
          if (this.options.follow === false) return;
          await this.pauseAfter(new StreamEnded('the server ended the stream'));
        } catch (error) {
          if (error instanceof NotStreamed) streams = false;
          // The first events of a log are not kept forever.
          else if (after === undefined && position === 0 && isApiError(error, 'cursor-expired'))
            position = await this.oldest();
          else await this.pauseAfter(error);
        }
      }
    } catch (error) {
      if (!signal?.aborted) throw error;
    }
  }

  /** Ends when the server ends the stream; throws if the connection breaks. */
  private async *streamed(after: number): AsyncGenerator<LoggedEvent, void> {
    const { response, release } = await this.connect(after);
    this.options.onConnection?.({ state: 'open', transport: 'sse' });
    try {
      yield* this.received(response.body as ReadableStream<Uint8Array>, after);
    } finally {
      release();
    }
  }

  private async *received(body: ReadableStream<Uint8Array>, after: number): AsyncGenerator<LoggedEvent, void> {
    let position = after;
    for await (const signal of readEventStream(body, this.options.idleTimeoutMs ?? IDLE_MS)) {
      this.failures = 0;
      if (signal.kind === 'retry') this.retryMs = signal.ms;
      if (signal.kind !== 'event') continue;
      const next = Number(signal.event.id);
      // A message without an id is not an event of the log; one that is not after the last position is a repetition.
      if (signal.event.id === undefined || !Number.isSafeInteger(next) || next <= position) continue;
      position = next;
      yield { position, event: JSON.parse(signal.event.data) as WebhookEvent };
    }
  }

  private async connect(after: number): Promise<OpenResponse> {
    const lastEventId: Record<string, string> = after > 0 ? { 'last-event-id': String(after) } : {};
    try {
      const request = this.request(`/stream?after=${after}`, { accept: STREAM, ...lastEventId });
      const opened = await this.transport.open(request);
      if (opened.response.headers.get('content-type')?.startsWith(STREAM)) return opened;
      opened.release();
      await opened.response.body?.cancel();
    } catch (error) {
      if (!isApiError(error) || !isWithoutStreams(error as PonteApiError)) throw error;
    }
    throw new NotStreamed();
  }

  /** Ends at the event that was the newest when it was read if the caller does not follow the log. */
  private async *polled(after: number): AsyncGenerator<LoggedEvent, void> {
    this.options.onConnection?.({ state: 'open', transport: 'poll' });
    for (let position = after; ;) {
      const { events, more } = await this.page(position);
      this.failures = 0;
      for (const logged of events) {
        position = logged.position;
        yield logged;
      }
      if (!more && this.options.follow === false) return;
      if (events.length === 0) await pause(this.options.pollIntervalMs ?? POLL_MS, this.options.signal);
    }
  }

  /** The position before the oldest event that is kept. */
  private async oldest(): Promise<number> {
    const { events, next } = await this.page(null);
    return events[0] ? events[0].position - 1 : next;
  }

  /**
   * The position of the newest event. An installation that does not know the parameter ignores it and answers with the
   * oldest events; its log is then read to its end.
   */
  private async latest(): Promise<number> {
    let { events, next } = await this.read('start=latest&');
    while (events.length > 0) ({ events, next } = await this.page(next));
    return next;
  }

  /** The events after a position, or from the oldest one that is kept, in order, and the position after them. */
  private page(after: number | null): Promise<ListedPage> {
    return this.read(after === null ? '' : `after=${after}&`);
  }

  private async read(start: string): Promise<ListedPage> {
    const request = this.request(`?${start}limit=${PAGE}`, { accept: 'application/json' });
    const { content } = await this.transport.exchange(request, readJson);
    const { events, 'next-after': next, more } = content as ListedEvents;
    return { events: events.map(({ number, event }) => ({ position: number, event })), next, more };
  }

  private request(pathAndQuery: string, headers: Readonly<Record<string, string>>): OutgoingRequest {
    const { signal } = this.options;
    return {
      method: 'GET',
      uri: `/api/v1/accounts/${encodeURIComponent(this.accountId)}/events${pathAndQuery}`,
      body: null,
      headers,
      open: false,
      idempotencyKey: null,
      repeatable: true,
      options: signal ? { signal } : {},
    };
  }

  /** Waits before the next connection. Throws errors that another connection would not change. */
  private async pauseAfter(error: unknown): Promise<void> {
    this.options.signal?.throwIfAborted();
    if (!shouldReconnect(error)) throw error;
    this.options.onConnection?.({ state: 'lost', reason: error as Error });
    const requestedMs = (error as Partial<PonteApiError>).retryAfterMs ?? this.retryMs;
    await pause(delayBefore(this.failures, requestedMs), this.options.signal);
    this.failures += 1;
  }
}

function shouldReconnect(error: unknown): boolean {
  if (isApiError(error)) return isTransient(error.status, error.code) || error.status >= 500;
  return error instanceof PonteConnectionError || error instanceof StreamLost || error instanceof StreamEnded;
}
