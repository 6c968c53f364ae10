import type { Type } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import { Command, CommandBus, Query, QueryBus } from '@nestjs/cqrs';
import type { CustomTransportStrategy, MessageHandler } from '@nestjs/microservices';
import { Ctx, EventPattern, MessagePattern, Payload, Server } from '@nestjs/microservices';
import type { MessageBus, PayloadOf, ReplyOf, RequestContext, RequestDefinition } from '@ponte/event-sourcing';
import type { Observable } from 'rxjs';
import { isObservable, lastValueFrom } from 'rxjs';

/** Adapts a `MessageBus` to Nest, so that controllers can use `@MessagePattern` and `@Consumes` with any bus. */
export class BusTransport extends Server implements CustomTransportStrategy {
  constructor(private readonly bus: MessageBus) {
    super();
  }

  /** Throws if the pattern has a handler already: Nest would let the second handler replace the first. */
  override addHandler(...parameters: Parameters<Server['addHandler']>): void {
    const [pattern] = parameters;
    if (this.messageHandlers.has(this.normalizePattern(pattern)))
      throw new Error(`${String(pattern)} has two handlers`);
    super.addHandler(...parameters);
  }

  listen(done: (error?: unknown) => void): void {
    for (const [pattern, handler] of this.messageHandlers) {
      if (!handler.isEventHandler) {
        this.bus.handle(pattern, (payload, context) => call(handler, payload, context));
        continue;
      }
      const consumed = consumption(pattern);
      if (!consumed) throw new Error(`pattern ${pattern} was not made by @Consumes`);
      this.bus.consume({ ...consumed, consume: (event) => call<void>(handler, event) });
    }
    this.bus.start().then(() => done(), done);
  }

  async close(): Promise<void> {
    await this.bus.stop();
  }

  on(): void {
    /* The bus reports its own faults; nothing listens to Nest's status events. */
  }
  unwrap<T>(): T {
    return this.bus as T;
  }
}

/** Nest returns an observable if interceptors or filters were involved, and the plain value otherwise. */
async function call<R>(handler: MessageHandler, payload: unknown, context?: RequestContext): Promise<R> {
  const result = (await handler(payload, context)) as R | Observable<R>;
  return isObservable(result) ? lastValueFrom(result, { defaultValue: undefined as R }) : result;
}

const SEPARATOR = ' -> ';
const TYPES = ' : ';

/**
 * Declares a handler for the events of `services`, for the consumer group `group`; one handler per service and group.
 * With `types`, only events of these types are passed to it.
 */
export const Consumes = (services: readonly string[], group: string, types?: readonly string[]): MethodDecorator =>
  EventPattern(
    services.map((service) => `${service}.events${SEPARATOR}${group}${types ? TYPES + types.join(',') : ''}`),
  );

/** Parses the pattern that {@link Consumes} writes; undefined for any other pattern. */
function consumption(pattern: string): { service: string; group: string; types?: readonly string[] } | undefined {
  const [events, consumer] = pattern.split(SEPARATOR);
  const [group, types] = consumer?.split(TYPES) ?? [];
  if (!events?.endsWith('.events') || !group) return undefined;
  return {
    service: events.slice(0, -'.events'.length),
    group,
    ...(types === undefined ? {} : { types: types.split(',') }),
  };
}

/** A command with its data and the context of the request that it belongs to. Its result is `R`. */
export abstract class PayloadCommand<P, R = void> extends Command<R> {
  constructor(
    readonly payload: P,
    readonly context: RequestContext,
  ) {
    super();
  }
}

/** A command that needs no data, only the context of the run that it belongs to. Its result is `R`. */
export abstract class ContextCommand<R = void> extends Command<R> {
  constructor(readonly context: RequestContext) {
    super();
  }
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- any request, whatever its payload
type AnyRequest = RequestDefinition<any, unknown>;

/** A command for a request: `class PlaceHoldCommand extends RequestCommand<typeof PlaceHold> {}`. */
export abstract class RequestCommand<D extends AnyRequest> extends PayloadCommand<PayloadOf<D>, ReplyOf<D>> {}

/** A query for a request: `class GetBalanceQuery extends RequestQuery<typeof GetBalance> {}`. */
export abstract class RequestQuery<D extends AnyRequest> extends Query<ReplyOf<D>> {
  constructor(
    readonly payload: PayloadOf<D>,
    readonly context: RequestContext,
  ) {
    super();
  }
}

/** A request, and the class of the command or query that it is converted to. */
type Forwarding<D extends AnyRequest> = readonly [
  request: D,
  message: new (payload: PayloadOf<D>, context: RequestContext) => Command<ReplyOf<D>> | Query<ReplyOf<D>>,
];

/** A controller that forwards requests to the command bus and the query bus. */
@Injectable()
abstract class RequestController {
  constructor(
    protected readonly commands: CommandBus,
    protected readonly queries: QueryBus,
  ) {}
}

/**
 * Creates the base class of a controller with one `@MessagePattern` method per request, which has the name of the
 * request: `@Controller() class WalletMessages extends forwardRequests([CreateWallet, CreateWalletCommand]) {}`. The
 * controller may have further methods.
 */
export function forwardRequests<D extends readonly AnyRequest[]>(
  ...forwardings: { readonly [K in keyof D]: Forwarding<D[K]> }
): Type<RequestController> {
  class ForwardingController extends RequestController {
    forward(message: Command<unknown> | Query<unknown>): Promise<unknown> {
      return message instanceof Command ? this.commands.execute(message) : this.queries.execute(message);
    }
  }
  const { prototype } = ForwardingController;
  for (const [{ name, pattern }, Message] of forwardings) {
    const value = function (this: ForwardingController, payload: never, context: RequestContext): Promise<unknown> {
      return this.forward(new Message(payload, context));
    };
    const method = { value, configurable: true, writable: true };
    Object.defineProperty(prototype, name, method);
    Payload()(prototype, name, 0);
    Ctx()(prototype, name, 1);
    MessagePattern(pattern)(prototype, name, method);
  }
  return ForwardingController;
}
