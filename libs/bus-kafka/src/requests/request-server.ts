import { Refusal, Unavailable } from '@ponte/kernel';
import type { RequestContext, RequestHandler, EngineLogger } from '@ponte/event-sourcing';
import { logged, safeError } from '@ponte/event-sourcing';
import { isOutage } from '@ponte/bus-in-process';
import { ReportLimit } from '@ponte/concurrency';
import type { TakenMessage } from '../partitions/taken-message';
import type { RequestPoolsOptions } from './request-pools';
import { RequestPools } from './request-pools';
import type { Answer, RequestOnWire } from './request-wire';
import { answerMessage, readRequest } from './request-wire';
import { isRejected } from '../send-failures';
import type { Sender } from '../sender';

interface RequestServerParts extends RequestPoolsOptions {
  readonly sender: Sender;
  readonly logger: EngineLogger;
  readonly systemNow: () => number;
  /** Prefix of reply topics. Replies are sent only to topics with this prefix, whatever a message contains. */
  readonly repliesPrefix: string;
}

/**
 * Executes requests. They are never parked or retried: a failure is returned to the caller. Requests with the same
 * key run in parallel like all others, because the expected revision of an append decides their order.
 */
export class RequestServer {
  private readonly handlers = new Map<string, RequestHandler>();
  private readonly pools: RequestPools;
  private readonly reports = new ReportLimit();

  constructor(private readonly parts: RequestServerParts) {
    this.pools = new RequestPools(parts);
  }

  get answersAny(): boolean {
    return this.handlers.size > 0;
  }

  register(pattern: string, handler: RequestHandler): void {
    if (this.handlers.has(pattern)) throw new Error(`${pattern} has two handlers`);
    this.handlers.set(pattern, handler);
  }

  answers(pattern: string): boolean {
    return this.handlers.has(pattern);
  }

  /** Throws only a `Refusal` or an `Unavailable`. */
  async answer(pattern: string, payload: unknown, context: RequestContext): Promise<unknown> {
    const handler = this.handlers.get(pattern);
    const { logger } = this.parts;
    if (!handler) {
      logger.error({ ...logged(context), pattern }, 'no handler for a request');
      throw new Unavailable('service-unavailable');
    }
    try {
      return await handler(payload, context);
    } catch (error) {
      if (error instanceof Refusal || error instanceof Unavailable) throw error;
      logger.error({ ...logged(context), pattern, error: safeError(error) }, 'a request failed unexpectedly');
      throw isOutage(error) ? new Unavailable('service-unavailable') : Unavailable.unexpected();
    }
  }

  take(taken: TakenMessage): void {
    const { message, topic, partition } = taken;
    const request = readRequest(message);
    if (!request?.replyTo.startsWith(this.parts.repliesPrefix)) {
      this.parts.logger.error({ topic, partition, offset: message.offset }, 'dropped a message that is not a request');
      taken.done();
      return;
    }
    if (this.pools.makesNestedRequests(request.pattern)) taken.exemptFromLimit();
    const added = this.pools.add(request.pattern, partition, () => this.handle(request, taken));
    if (!added) this.pools.answer(() => this.refuse(request, taken));
  }

  /** Resolves when everything that was taken has ended. */
  settled(): Promise<void> {
    return this.pools.settled();
  }

  private async handle(request: RequestOnWire, taken: TakenMessage): Promise<void> {
    if (!taken.isOurs()) return;
    // After the deadline, the caller has stopped waiting, and its error states that a retry is safe.
    if (this.parts.systemNow() <= request.until) await this.reply(request);
    taken.done();
  }

  /** The caller learns at once that it may repeat the request: nothing was executed. */
  private async refuse(request: RequestOnWire, taken: TakenMessage): Promise<void> {
    if (!taken.isOurs()) return;
    const fields = { ...logged(request.context), pattern: request.pattern };
    this.reports.note(request.pattern, (repeats) =>
      this.parts.logger.warn(
        { ...fields, ...repeats },
        'a request was refused because too many requests from its partition are waiting for other services',
      ),
    );
    await this.sendReply(request, { ok: false, error: new Unavailable('service-unavailable') });
    taken.done();
  }

  private async reply(request: RequestOnWire): Promise<void> {
    const answer: Answer = await this.answer(request.pattern, request.payload, request.context).then(
      (reply) => ({ ok: true, reply }),
      (error: Refusal | Unavailable) => ({ ok: false, error }),
    );
    await this.sendReply(request, answer);
  }

  private async sendReply(request: RequestOnWire, answer: Answer): Promise<void> {
    try {
      await this.send(request, answer);
    } catch (error) {
      const fields = { ...logged(request.context), pattern: request.pattern, error: safeError(error) };
      this.parts.logger.warn(fields, 'a reply could not be sent; the caller times out and can repeat the request');
    }
  }

  /** If the brokers reject the reply, the caller gets an error instead of waiting until the deadline. */
  private async send(request: RequestOnWire, answer: Answer): Promise<void> {
    const { sender, logger } = this.parts;
    const { replyTo, until, correlation, context, pattern } = request;
    try {
      await sender.send(replyTo, this.written(request, answer), until);
    } catch (error) {
      if (!answer.ok || !isRejected(error)) throw error;
      logger.error(
        { ...logged(context), pattern, error: safeError(error) },
        'a reply was rejected by the brokers, for example because it is too large; the caller gets an error',
      );
      await sender.send(replyTo, answerMessage(correlation, { ok: false, error: Unavailable.unexpected() }), until);
    }
  }

  /**
   * If the handler's reply cannot be encoded as JSON, the caller gets an error instead of waiting until the deadline.
   */
  private written({ pattern, correlation, context }: RequestOnWire, answer: Answer) {
    try {
      return answerMessage(correlation, answer);
    } catch (error) {
      this.parts.logger.error({ ...logged(context), pattern, error: safeError(error) }, 'a reply could not be encoded');
      return answerMessage(correlation, { ok: false, error: Unavailable.unexpected() });
    }
  }
}
