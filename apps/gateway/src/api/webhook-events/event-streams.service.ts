import type { BeforeApplicationShutdown } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Clock } from '@ponte/kernel';
import type { Metrics } from '@ponte/observability';
import { CLOCK, LOGGER, METRICS } from '@ponte/nest';
import type { Logger } from 'pino';
import { ApiKeyCache } from '../../authentication/authentication.service';
import { AccountAccess } from '../../authorization/account-access.service';
import type { AccountRequest, Call } from '../../edge/request-context.service';
import { ApiError } from '../../errors/api-error';
import { whenOver } from '../../load-shedding/admission.service';
import type { OutboxWatch } from './outbox-watch.port';
import { OUTBOX_WATCH } from '../../gateway-tokens.port';
import type { AccountEventsDto } from './account-event.dto';
import type { StreamEnd, StreamLimits } from './event-stream';
import { EventStream, STREAM_HEADERS, STREAM_LIMITS } from './event-stream';

/** Streams that one API key may have open. */
export const STREAMS_PER_KEY = 5;
/** Streams of all keys in one process. Each holds one page and the bytes that wait for its client. */
const STREAMS_OF_ALL = 1_000;
const ENDS: readonly StreamEnd[] = ['closed-by-client', 'stalled', 'not-allowed', 'time-over', 'stopped', 'failed'];
const SECOND_MS = 1_000;

/** The right to open one stream. */
interface StreamSlot {
  /** Gives the slot back; further calls do nothing. */
  readonly leave: () => void;
}

interface OpenedStream {
  readonly request: AccountRequest;
  readonly reply: FastifyReply;
  readonly first: AccountEventsDto;
  readonly read: (after: number) => Promise<AccountEventsDto>;
}

/**
 * The open event streams of this process. While there are streams, one watch of the log wakes those whose account has
 * new events.
 */
@Injectable()
export class EventStreams implements BeforeApplicationShutdown {
  /** A test may change them before it opens streams. */
  limits: StreamLimits = STREAM_LIMITS;
  private readonly perKey = new Map<string, number>();
  private readonly byAccount = new Map<string, Set<EventStream>>();
  private readonly running = new Set<Promise<void>>();
  private openCount = 0;
  private watch: ReturnType<OutboxWatch['watch']> | undefined;
  private stopping = false;

  constructor(
    private readonly keys: ApiKeyCache,
    private readonly access: AccountAccess,
    @Inject(OUTBOX_WATCH) private readonly outboxes: OutboxWatch,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(METRICS) private readonly metrics: Metrics,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    metrics.measure('ponte_gateway_event_streams', async () => [{ value: this.openCount }]);
    for (const reason of ENDS) metrics.counter('ponte_gateway_event_streams_ended_total', { reason });
  }

  /** Throws 429 `too-many-streams`, or 503 `service-unavailable` when the process is full or shutting down. */
  take({ caller }: Call): StreamSlot {
    const keyId = caller?.keyId ?? '';
    const openStreams = this.perKey.get(keyId) ?? 0;
    if (openStreams >= STREAMS_PER_KEY) throw new ApiError('too-many-streams', { headers: { 'retry-after': '10' } });
    if (this.openCount >= STREAMS_OF_ALL || this.stopping) throw new ApiError('service-unavailable');
    this.perKey.set(keyId, openStreams + 1);
    this.openCount += 1;
    let left = false;
    return {
      leave: () => {
        if (left) return;
        left = true;
        this.openCount -= 1;
        const rest = (this.perKey.get(keyId) ?? 1) - 1;
        if (rest === 0) this.perKey.delete(keyId);
        else this.perKey.set(keyId, rest);
        if (this.openCount === 0) void this.unwatch();
      },
    };
  }

  /**
   * Resolves when events appended from now on wake streams. Call it before reading the first page of a stream. Rejects
   * when the log cannot be watched; the next call tries again.
   */
  async listen(): Promise<void> {
    const watch = (this.watch ??= this.outboxes.watch((accountId) =>
      this.byAccount.get(accountId)?.forEach((one) => one.wake()),
    ));
    try {
      await watch;
    } catch (error) {
      if (this.watch === watch) this.watch = undefined;
      throw error;
    }
  }

  /**
   * Takes over the response from the framework and writes events to it until the stream ends. Throws 503
   * `service-unavailable` when the process is shutting down.
   */
  open(slot: StreamSlot, { request, reply, first, read }: OpenedStream): void {
    // The streams that existed have been ended, and the process would wait for this one.
    if (this.stopping) throw new ApiError('service-unavailable');
    const { call } = request;
    reply.hijack();
    // The request no longer counts as load: a stream is bounded by its own limits.
    call.leave?.();
    call.leave = null;
    const response = reply.raw;
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) response.setHeader(name, value);
    response.writeHead(200, STREAM_HEADERS);
    const openedAt = this.clock.now();
    const stream = new EventStream({
      response,
      first,
      read,
      mayGoOn: () => this.mayGoOn(call),
      limits: this.limits,
      sent: ({ event }) => {
        this.metrics.counter('ponte_gateway_events_streamed_total').inc();
        const occurredAt = Date.parse(event['occurred-at']);
        // The age of an event from before the stream was opened is not a lag of this stream.
        if (occurredAt < openedAt) return;
        this.metrics
          .histogram('ponte_gateway_event_stream_lag_seconds')
          .observe(Math.max(0, this.clock.now() - occurredAt) / SECOND_MS);
      },
    });
    // The client may have disconnected while the first page was read. The stream then ends at once.
    whenOver(request.raw, response, () => stream.end('closed-by-client'));
    this.add(call.accountId, stream);
    const running: Promise<void> = stream.run().then((reason) => {
      this.metrics.counter('ponte_gateway_event_streams_ended_total', { reason }).inc();
      this.logger.debug({ ...call.logged, reason }, 'an event stream ended');
      this.remove(call.accountId, stream);
      slot.leave();
      this.running.delete(running);
    });
    this.running.add(running);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    for (const streams of this.byAccount.values()) for (const stream of streams) stream.end('stopped');
    await Promise.all(this.running);
    await this.unwatch();
  }

  /** Whether the key still exists, is not revoked and may read this account. Also false if this cannot be checked. */
  private async mayGoOn({ caller, accountId }: Call): Promise<boolean> {
    try {
      const key = caller && (await this.keys.find(caller.keyId));
      if (!key || key.record.revoked) return false;
      await this.access.checkReach(caller.accountId, accountId);
      return true;
    } catch {
      return false;
    }
  }

  private add(accountId: string, stream: EventStream): void {
    this.byAccount.set(accountId, (this.byAccount.get(accountId) ?? new Set()).add(stream));
  }

  private remove(accountId: string, stream: EventStream): void {
    const streams = this.byAccount.get(accountId);
    streams?.delete(stream);
    if (streams?.size === 0) this.byAccount.delete(accountId);
  }

  /** Never rejects: `listen` has reported a watch that did not start, and one that does not stop is unused. */
  private async unwatch(): Promise<void> {
    const watch = this.watch;
    this.watch = undefined;
    await watch?.then((started) => started.stop()).catch(() => undefined);
  }
}
