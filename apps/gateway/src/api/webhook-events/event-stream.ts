import type { ServerResponse } from 'node:http';
import { pause } from '@ponte/concurrency';
import type { AccountEventsDto, NumberedEventDto } from './account-event.dto';

export const STREAM_TYPE = 'text/event-stream';

export const STREAM_HEADERS = {
  'content-type': `${STREAM_TYPE}; charset=utf-8`,
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
} as const;

/** Limits of one stream, in milliseconds and bytes. */
export interface StreamLimits {
  /** An idle stream sends a comment this often, so that proxies keep it open and dead connections are detected. */
  readonly heartbeatMs: number;
  /** A client that reads nothing for this long is disconnected. It can continue with `Last-Event-ID`. */
  readonly stallMs: number;
  /** No further events are fetched for a stream while more than this is waiting to be sent. */
  readonly waitingBytes: number;
  /** The lifetime of a stream. Reconnecting clients are spread over the processes again. */
  readonly longestMs: number;
}

const HOUR_MS = 3_600_000;

export const STREAM_LIMITS: StreamLimits = {
  heartbeatMs: 15_000,
  stallMs: 10_000,
  waitingBytes: 256 * 1024,
  longestMs: HOUR_MS,
};

export type StreamEnd = 'closed-by-client' | 'stalled' | 'not-allowed' | 'time-over' | 'stopped' | 'failed';

export interface StreamParts {
  readonly response: ServerResponse;
  readonly first: AccountEventsDto;
  /** Fetches the events after a number. Rejects when they cannot be read now or access was lost. */
  readonly read: (after: number) => Promise<AccountEventsDto>;
  /** Resolves to false when the key was revoked or has lost access to the account. */
  readonly mayGoOn: () => Promise<boolean>;
  readonly limits: StreamLimits;
  /** Called for each event that was written to the response. */
  readonly sent: (event: NumberedEventDto) => void;
}

/**
 * Streams an account's event log to one client. It fetches a page only when the client has taken the last one. Its
 * memory is therefore bounded by one page and {@link StreamLimits.waitingBytes}, however far behind the client is and
 * however fast events come.
 */
export class EventStream {
  private awake = (): void => undefined;
  private woken = false;
  private ended: StreamEnd | undefined;
  private endsAt = Infinity;

  constructor(private readonly parts: StreamParts) {}

  /** Notifies the stream that there may be new events. */
  wake(): void {
    this.woken = true;
    this.awake();
  }

  /** Ends the stream. Only the first reason is kept. */
  end(reason: StreamEnd): void {
    this.ended ??= reason;
    this.awake();
  }

  /** Resolves with the reason for the end of the stream. Never rejects. */
  async run(): Promise<StreamEnd> {
    const { response, first, limits } = this.parts;
    this.endsAt = performance.now() + limits.longestMs;
    try {
      response.write(`retry: 2000\n${idLineOf(first)}\n`);
      let page = first;
      while (await this.send(page)) {
        const after = page['next-after'];
        if (!page.more && !(await this.rest())) break;
        if (!(await this.mayGoOn())) break;
        page = await this.parts.read(after);
      }
    } catch {
      this.end('failed');
    }
    const reason = this.ended ?? 'failed';
    if (reason === 'stalled') response.destroy();
    else response.end();
    return reason;
  }

  /** Resolves to false when the stream has ended. */
  private async send({ events }: AccountEventsDto): Promise<boolean> {
    for (const event of events) {
      if (this.ended) return false;
      this.write(`id: ${event.number}\nevent: ${event.event['event-type']}\ndata: ${JSON.stringify(event.event)}\n\n`);
      this.parts.sent(event);
      if (!(await this.taken())) return false;
    }
    return !this.ended;
  }

  /** Runs before every page, because a busy stream never rests. Resolves to false when the stream has ended. */
  private async mayGoOn(): Promise<boolean> {
    if (performance.now() >= this.endsAt) this.end('time-over');
    else if (!(await this.parts.mayGoOn())) this.end('not-allowed');
    return !this.ended;
  }

  /** Waits, with heartbeats, until there may be new events. Resolves to false when the stream has ended. */
  private async rest(): Promise<boolean> {
    const { limits } = this.parts;
    while (!this.ended && !this.woken) {
      if (await this.sleep(limits.heartbeatMs)) continue;
      if (this.ended) return false;
      this.write(': heartbeat\n\n');
      if (!(await this.taken())) return false;
      // A wake-up may have been lost when the watch failed, so read after each heartbeat: a read costs little.
      break;
    }
    this.woken = false;
    return !this.ended;
  }

  private write(text: string): void {
    if (!this.ended) this.parts.response.write(text);
  }

  /**
   * Waits while too much is waiting to be sent. Resolves to false when the stream has ended, also because the client
   * stalled.
   */
  private async taken(): Promise<boolean> {
    const { response, limits } = this.parts;
    if (response.writableLength <= limits.waitingBytes) return true;
    const drained = (): void => this.awake();
    response.once('drain', drained);
    const deadline = performance.now() + limits.stallMs;
    while (!this.ended && response.writableLength > limits.waitingBytes) {
      const left = deadline - performance.now();
      if (left <= 0) this.end('stalled');
      else await this.sleep(left);
    }
    response.off('drain', drained);
    return !this.ended;
  }

  /** Resolves to true when it was woken before the time was over. */
  private async sleep(milliseconds: number): Promise<boolean> {
    const early = new AbortController();
    this.awake = () => early.abort();
    await pause(milliseconds, early.signal);
    this.awake = () => undefined;
    return early.signal.aborted;
  }
}

/**
 * The position of a stream that has nothing to send yet, as a message without data. A client that reconnects before the
 * first event then sends it as `Last-Event-ID` and misses nothing.
 */
const idLineOf = ({ events, 'next-after': number }: AccountEventsDto): string =>
  events.length > 0 ? '' : `id: ${number}\n`;
