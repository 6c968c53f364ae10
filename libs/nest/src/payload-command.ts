import { Command, Query } from '@nestjs/cqrs';
import type { RequestContext } from '@ponte/event-sourcing';

/** A command that carries its data and the context of the request that it belongs to. It is answered with `R`. */
export abstract class PayloadCommand<P, R = void> extends Command<R> {
  constructor(
    readonly payload: P,
    readonly context: RequestContext,
  ) {
    super();
  }
}

/** A query that carries what it asks about. It is answered with `R`. */
export abstract class PayloadQuery<P, R> extends Query<R> {
  constructor(readonly payload: P) {
    super();
  }
}
