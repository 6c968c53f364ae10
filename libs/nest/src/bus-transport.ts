import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import type { MaybeLater } from '@ponte/kernel';
import type { CustomTransportStrategy, MessageHandler } from '@nestjs/microservices';
import { Server } from '@nestjs/microservices';
import { isObservable, lastValueFrom } from 'rxjs';
import type { ModulesContainer } from '@nestjs/core';
import { directHandlers } from './direct-handlers';
import { consumption } from './messages';

type Call = (payload: unknown, context?: RequestContext) => MaybeLater<unknown>;

const throughNest =
  (handler: MessageHandler): Call =>
  async (payload, context) => {
    const result: unknown = await handler(payload, context);
    return isObservable(result) ? lastValueFrom(result, { defaultValue: undefined }) : result;
  };

/** Presents a `MessageBus` to Nest, so that controllers say `@MessagePattern` and `@Consumes` whatever the bus is. */
export class BusTransport extends Server implements CustomTransportStrategy {
  /** With `modules`, handlers are called as they are and not through Nest. */
  constructor(
    private readonly bus: MessageBus,
    private readonly modules?: ModulesContainer,
  ) {
    super();
  }

  listen(done: (error?: unknown) => void): void {
    const direct = this.modules && directHandlers(this.modules);
    for (const [pattern, handler] of this.messageHandlers) {
      const method = direct?.get(pattern);
      const call: Call = method ? (method as Call) : throughNest(handler);
      if (!handler.isEventHandler) {
        this.bus.handle(pattern, call);
        continue;
      }
      const consumed = consumption(pattern);
      if (!consumed) throw new Error(`pattern ${pattern} was not made by @Consumes`);
      this.bus.consume({ ...consumed, consume: async (event) => void (await call(event)) });
    }
    this.bus.start().then(() => done(), done);
  }

  async close(): Promise<void> {
    await this.bus.stop();
  }

  on(): void {
    /* The bus reports its own faults; Nest's status events have no listener here. */
  }
  unwrap<T>(): T {
    return this.bus as T;
  }
}
