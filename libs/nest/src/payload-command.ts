import { Command, Query } from '@nestjs/cqrs';
import type { RequestContext } from '@ponte/event-sourcing';

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
