import type { MessageBus, RequestContext, RequestDefinition, RequestHandler } from '@ponte/event-sourcing';
import { Unavailable } from '@ponte/kernel';

interface ReceivedRequest {
  readonly pattern: string;
  readonly payload: Record<string, unknown>;
  readonly context: RequestContext;
}

/** A message bus with handlers that the test provides. It records the requests. */
export class StubBus implements MessageBus {
  readonly requests: ReceivedRequest[] = [];
  private readonly handlers = new Map<string, RequestHandler>();
  /** False for a benchmark, in which payloads are neither copied nor recorded. */
  careful = true;

  on<P, R>(definition: RequestDefinition<P, R>, answer: (payload: P, context: RequestContext) => R | Promise<R>): void {
    this.handlers.set(definition.pattern, async (payload, context) => answer(payload as P, context));
  }

  async request<P, R>(definition: RequestDefinition<P, R>, payload: P, context: RequestContext): Promise<R> {
    const sent: unknown = this.careful ? this.received(definition.pattern, payload, context) : payload;
    const handler = this.handlers.get(definition.pattern);
    if (!handler) throw new Unavailable('service-unavailable');
    return (await handler(sent, context)) as R;
  }

  /** Copies the payload as JSON, as a real bus would, and records it. */
  private received(pattern: string, payload: unknown, context: RequestContext): unknown {
    const sent: unknown = JSON.parse(JSON.stringify(payload));
    this.requests.push({ pattern, payload: sent as Record<string, unknown>, context });
    return sent;
  }

  /** The requests of one kind, oldest first. */
  requestsOf(definition: { readonly pattern: string }): ReceivedRequest[] {
    return this.requests.filter(({ pattern }) => pattern === definition.pattern);
  }

  handle(pattern: string, handler: RequestHandler): void {
    this.handlers.set(pattern, handler);
  }

  consume(): void {
    /* The gateway subscribes to nothing on this bus. */
  }

  async start(): Promise<void> {
    /* Always ready. */
  }
  async stop(): Promise<void> {
    /* Nothing to release. */
  }
}
