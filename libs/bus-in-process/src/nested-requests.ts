import { AsyncLocalStorage } from 'node:async_hooks';
import type { EventConsumer, RequestContext, RequestHandler } from '@ponte/event-sourcing';

/** Whether the request `nested` is declared for the handler of `request`. Both are patterns. */
export type IsDeclaredNested = (request: string, nested: string) => boolean;

interface Handled {
  readonly pattern: string;
  readonly correlationId: string;
}

/**
 * For tests: checks that handlers make only declared nested requests. A nested request has the correlation id of the
 * request that is being handled; requests with a different one come from the test itself, while a handler is running.
 * Costs a few microseconds per request.
 */
export class NestedRequestCheck {
  private readonly running = new AsyncLocalStorage<Handled | undefined>();
  private readonly undeclared = new Set<string>();

  constructor(private readonly isDeclaredNested: IsDeclaredNested) {}

  /** Wraps a handler so that its requests are checked. */
  handling(pattern: string, handler: RequestHandler): RequestHandler {
    return (payload, context) =>
      this.running.run({ pattern, correlationId: context.correlationId }, () => handler(payload, context));
  }

  /**
   * Wraps a consumer so that its requests are not checked: no request waits for a consumer, even if one has woken it.
   */
  unchecked(consume: EventConsumer): EventConsumer {
    return (event) => this.running.run(undefined, () => consume(event));
  }

  /** Throws if the request is nested in one for whose handler it is not declared. */
  assertDeclared(pattern: string, { correlationId }: RequestContext): void {
    const request = this.running.getStore();
    if (request?.correlationId !== correlationId || this.isDeclaredNested(request.pattern, pattern)) return;
    this.undeclared.add(`${request.pattern} requests ${pattern}`);
    this.assertNoneUndeclared();
  }

  /** Throws if any handler has made an undeclared request, including one that caught the error. */
  assertNoneUndeclared(): void {
    if (this.undeclared.size > 0)
      throw new Error(
        `handlers make requests that NESTED_REQUESTS does not list: ${[...this.undeclared].join(', ')}; add them to ` +
          'libs/contracts/src/nested-requests.ts, or do not make them',
      );
  }
}
