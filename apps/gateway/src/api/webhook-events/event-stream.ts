import type { ServerResponse } from 'node:http';
import { pause } from '@ponte/concurrency';
import type { AccountEventsDto, NumberedEventDto } from './account-event.dto';

export const STREAM_TYPE = 'text/event-stream';

/** What one stream may hold and how long it may wait, in milliseconds and bytes. */
export interface StreamLimits {
  /** A comment is sent when nothing else was, so that proxies keep the connection and a dead one is found. */
  readonly heartbeatMs: number;
  /** A reader that takes nothing for this long is cut off. It goes on later with `Last-Event-ID`. */
  readonly stallMs: number;
  /** Nothing more is read for a stream while this much waits to be taken. */
  readonly waitingBytes: number;
  /** After this a stream ends, so that clients spread over the processes again. */
  readonly longestMs: number;
}

const HOUR_MS = 3_600_000;

export const STREAM_LIMITS: StreamLimits = {
  heartbeatMs: 15_000,
  stallMs: 10_000,
  waitingBytes: 256 * 1024,
  longestMs: HOUR_MS,
};

/** Why a stream ended. */
export type StreamEnd = 'closed-by-client' | 'stalled' | 'not-allowed' | 'time-over' | 'stopped' | 'failed';

export interface StreamParts {
  readonly response: ServerResponse;
  readonly first: AccountEventsDto;
  /** The events after a number. Rejects when they cannot be read now or may not be read any more. */
  readonly read: (after: number) => Promise<AccountEventsDto>;
  /** False when the key was revoked or lost its reach. */
  readonly mayGoOn: () => Promise<boolean>;
  readonly limits: StreamLimits;
  /** Called for each event that was handed over. */
  readonly sent: (event: NumberedEventDto) => void;
}

/**
 * One reader of an account's log. It reads a page only when the last one was taken, so that its memory is bounded
 * by one page and
 * {@link StreamLimits.waitingBytes}, however far behind it is and however fast events come.
 */
export class EventStream {
  private awake = (): void => undefined;
  private woken = false;
  private ended: StreamEnd | undefined;
  private endsAt = Infinity;

  constructor(private readonly parts: StreamParts) {}

  /** There may be something new. */
  wake(): void {
    this.woken = true;
    this.awake();
  }

  /** Ends the stream; only the first reason counts. */
  end(reason: StreamEnd): void {
    this.ended ??= reason;
    this.awake();
  }

  /** Resolves with why it ended. Never rejects. */
  async run(): Promise<StreamEnd> {
    const { response, first, limits } = this.parts;
    this.endsAt = performance.now() + limits.longestMs;
    response.once('close', () => this.end('closed-by-client'));
    try {
      response.write('retry: 2000\n\n');
      let page = first;
      while (await this.send(page)) {
        const after = page['next-after'];
        if (!page.more && !(await this.rest())) break;
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

  /** False when the stream has ended. */
  private async send({ events }: AccountEventsDto): Promise<boolean> {
    for (const event of events) {
      if (this.ended) return false;
      this.write(`id: ${event.number}\nevent: ${event.event['event-type']}\ndata: ${JSON.stringify(event.event)}\n\n`);
      this.parts.sent(event);
      if (!(await this.taken())) return false;
    }
    return !this.ended;
  }

  /**
   * Waits until there may be something new; sends a heartbeat meanwhile, and looks whether the reader may go on.
   */
  private async rest(): Promise<boolean> {
    const { limits, mayGoOn } = this.parts;
    while (!this.ended && !this.woken) {
      if (performance.now() >= this.endsAt) this.end('time-over');
      if (this.ended || (await this.sleep(limits.heartbeatMs))) continue;
      if (this.ended) return false;
      if (!(await mayGoOn())) this.end('not-allowed');
      this.write(': heartbeat\n\n');
      if (!(await this.taken())) return false;
      // A wake-up may have been lost with a watch that broke: a look costs little.
      break;
    }
    this.woken = false;
    return !this.ended;
  }

  private write(text: string): void {
    if (!this.ended) this.parts.response.write(text);
  }

  /** Waits while too much is not taken yet. False when the reader was cut off or the stream ended. */
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

  /** True when something woke it before the time was over. */
  private async sleep(milliseconds: number): Promise<boolean> {
    const early = new AbortController();
    this.awake = () => early.abort();
    await pause(milliseconds, early.signal);
    this.awake = () => undefined;
    return early.signal.aborted;
  }
}
