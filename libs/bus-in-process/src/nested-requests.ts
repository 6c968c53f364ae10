import { AsyncLocalStorage } from 'node:async_hooks';
import type { EventConsumer, RequestContext, RequestHandler } from '@ponte/event-sourcing';

/** Whether the handler of the request with the pattern `by` may make the request `asked`. */
export type MayAsk = (by: string, asked: string) => boolean;

/** A request that is being handled. */
interface Handled {
  readonly pattern: string;
  readonly correlationId: string;
}

/**
 * Checks which requests handlers make. They have the correlation id of the request that is handled; those with another
 * one come from the test itself, which lets something happen while a handler runs. For tests: it costs microseconds for
 * each request.
 */
export class NestedRequests {
  private readonly running = new AsyncLocalStorage<Handled | undefined>();
  private readonly undeclared = new Set<string>();

  constructor(private readonly mayAsk: MayAsk) {}

  /** The handler, whose requests are checked. */
  handling(pattern: string, handler: RequestHandler): RequestHandler {
    return (payload, context) =>
      this.running.run({ pattern, correlationId: context.correlationId }, () => handler(payload, context));
  }

  /** The consumer, whose requests are not checked: no request waits for it, even if one has woken it. */
  outside(consume: EventConsumer): EventConsumer {
    return (event) => this.running.run(undefined, () => consume(event));
  }

  /** Throws if the request is made by a handler that may not make it. */
  assertMayAsk(asked: string, { correlationId }: RequestContext): void {
    const by = this.running.getStore();
    if (by?.correlationId !== correlationId || this.mayAsk(by.pattern, asked)) return;
    this.undeclared.add(`${by.pattern} asks ${asked}`);
    this.assertDeclared();
  }

  /** Throws if a handler has made a request that it may not make: it may have ignored the failure. */
  assertDeclared(): void {
    if (this.undeclared.size > 0)
      throw new Error(`handlers make requests that NESTED_REQUESTS does not list: ${[...this.undeclared].join(', ')}`);
  }
}
