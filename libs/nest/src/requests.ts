import type { Type } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import { Command, CommandBus, Query, QueryBus } from '@nestjs/cqrs';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import type { PayloadOf, ReplyOf, RequestContext, RequestDefinition } from '@ponte/event-sourcing';

/** A command with its data and the context of the request that it belongs to. Its result is `R`. */
export abstract class PayloadCommand<P, R = void> extends Command<R> {
  constructor(
    readonly payload: P,
    readonly context: RequestContext,
  ) {
    super();
  }
}

/** A query with its data. Its result is `R`. */
export abstract class PayloadQuery<P, R> extends Query<R> {
  constructor(readonly payload: P) {
    super();
  }
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- any request, whatever its payload
type AnyRequest = RequestDefinition<any, unknown>;

/** A command for a request: `class PlaceHoldCommand extends RequestCommand<typeof PlaceHold> {}`. */
export abstract class RequestCommand<D extends AnyRequest> extends PayloadCommand<PayloadOf<D>, ReplyOf<D>> {}

/** A query for a request: `class GetBalanceQuery extends RequestQuery<typeof GetBalance> {}`. */
export abstract class RequestQuery<D extends AnyRequest> extends PayloadQuery<PayloadOf<D>, ReplyOf<D>> {
  constructor(
    payload: PayloadOf<D>,
    readonly context: RequestContext,
  ) {
    super(payload);
  }
}

/** A request, and the class of the command or query that it is converted to. */
type Forwarding<D extends AnyRequest> = readonly [
  request: D,
  message: new (payload: PayloadOf<D>, context: RequestContext) => Command<ReplyOf<D>> | Query<ReplyOf<D>>,
];

/** A controller that forwards requests to the command bus and the query bus. */
@Injectable()
export abstract class RequestController {
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
