import { Unavailable } from '@ponte/kernel';
import type { RequestContext, RequestDefinition, EngineLogger } from '@ponte/event-sourcing';
import { logged, safeError } from '@ponte/event-sourcing';
import { Deadlines } from '@ponte/bus-in-process';
import type { TakenMessage } from '../partitions/taken-message';
import type { Answer } from './request-wire';
import { correlationOf, readAnswer, requestMessage } from './request-wire';
import type { Sender } from '../sender';

interface RequestClientParts {
  readonly sender: Sender;
  readonly logger: EngineLogger;
  readonly systemNow: () => number;
  readonly requestMs: number;
  readonly commandsTopic: (service: string) => string;
  readonly replyTo: string;
  /** Unique to this run, even for the same instance: the topic may still contain replies for an earlier run. */
  readonly run: string;
}

/** Sends requests to other processes and assigns the replies to them. */
export class RequestClient {
  private readonly waiting = new Map<string, (answer: Answer) => void>();
  private readonly deadlines: Deadlines;
  private requestCount = 0;

  constructor(private readonly parts: RequestClientParts) {
    this.deadlines = new Deadlines(parts.systemNow);
  }

  /** Rejects with the other process's `Refusal` or `Unavailable`, and with `Unavailable` if the time is up. */
  async ask<P, R>(definition: RequestDefinition<P, R>, payload: P, context: RequestContext): Promise<unknown> {
    const { systemNow, requestMs, run } = this.parts;
    const until = context.deadline ?? systemNow() + requestMs;
    if (systemNow() > until) throw new Unavailable('service-unavailable');
    const correlation = `${run}.${(this.requestCount += 1)}`;
    try {
      const answered = new Promise<Answer>((resolve) => {
        this.waiting.set(correlation, resolve);
      });
      this.send(definition, payload, context, correlation, until);
      const answer = await this.deadlines.limit(answered, until);
      if (answer.ok) return answer.reply;
      throw answer.error;
    } finally {
      this.waiting.delete(correlation);
    }
  }

  /** A reply without a waiting caller is late, or was meant for an earlier run of this instance. */
  take(taken: TakenMessage): void {
    const resolve = this.waiting.get(correlationOf(taken.message));
    resolve?.(readAnswer(taken.message));
    taken.done();
  }

  /** Ends all waiting requests with an unknown outcome. */
  close(): void {
    for (const resolve of this.waiting.values()) resolve(unknown());
  }

  private send<P, R>(
    definition: RequestDefinition<P, R>,
    payload: P,
    context: RequestContext,
    correlation: string,
    until: number,
  ): void {
    const { sender, commandsTopic, replyTo, logger } = this.parts;
    const { pattern, service } = definition;
    const message = requestMessage({ pattern, correlation, replyTo, until, payload, context }, definition.key(payload));
    sender.send(commandsTopic(service), message, until).catch((error: unknown) => {
      logger.warn({ ...logged(context), pattern, error: safeError(error) }, 'a request could not be sent');
      this.waiting.get(correlation)?.(unknown());
    });
  }
}

const unknown = (): Answer => ({ ok: false, error: new Unavailable('service-unavailable') });
