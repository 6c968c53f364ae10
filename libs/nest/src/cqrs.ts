import 'reflect-metadata';
import type { DynamicModule } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import type { InstanceWrapper } from '@nestjs/core/injector/instance-wrapper';
import type { AsyncContext, ICommand, ICommandHandler, IQuery, IQueryHandler, Query } from '@nestjs/cqrs';
import { CommandBus, CqrsModule, QueryBus } from '@nestjs/cqrs';
import type { MaybeLater } from '@ponte/kernel';
import { promised } from '@ponte/kernel';
import { COMMAND_HANDLER_METADATA, QUERY_HANDLER_METADATA } from '@nestjs/cqrs/dist/decorators/constants';

interface Handler {
  execute(message: object): MaybeLater<unknown>;
}

/** Handlers by the class of their message. */
class HandlersByClass {
  private readonly handlers = new Map<unknown, Handler>();

  constructor(private readonly metadata: string) {}

  /** One that is rebuilt for each message is left to the library. */
  add(handler: InstanceWrapper<Handler>): void {
    if (handler.metatype && handler.isDependencyTreeStatic())
      this.handlers.set(Reflect.getMetadata(this.metadata, handler.metatype), handler.instance);
  }

  of(message: object): Handler | undefined {
    return this.handlers.get(message.constructor);
  }
}

/**
 * The library looks a message's id up in the metadata of its class at each call and tells a stream to which no one
 * listens: 2 % of a quote, and more of an order.
 */
@Injectable()
export class DirectCommandBus extends CommandBus {
  private readonly direct = new HandlersByClass(COMMAND_HANDLER_METADATA);

  protected override registerHandler(handler: InstanceWrapper<ICommandHandler>): void {
    super.registerHandler(handler);
    this.direct.add(handler as InstanceWrapper<Handler>);
  }

  override execute<R>(command: ICommand, context?: AsyncContext): Promise<R> {
    const handler = this.direct.of(command);
    return handler ? promised(() => handler.execute(command) as MaybeLater<R>) : super.execute(command, context);
  }
}

@Injectable()
export class DirectQueryBus extends QueryBus {
  private readonly direct = new HandlersByClass(QUERY_HANDLER_METADATA);

  protected override registerHandler(handler: InstanceWrapper<IQueryHandler>): void {
    super.registerHandler(handler);
    this.direct.add(handler as InstanceWrapper<Handler>);
  }

  override execute<R>(query: IQuery, context?: AsyncContext): Promise<R> {
    return promised(() => this.answer<R>(query, context));
  }

  /** As {@link execute}, at once where the handler answers at once. */
  ask<R>(query: Query<R>): MaybeLater<R> {
    return this.answer(query);
  }

  private answer<R>(query: IQuery, context?: AsyncContext): MaybeLater<R> {
    const handler = this.direct.of(query);
    return handler ? (handler.execute(query) as MaybeLater<R>) : super.execute(query, context as AsyncContext);
  }
}

/** `@nestjs/cqrs` as it is, but for the way from a message to its handler. */
export function directCqrs(): DynamicModule {
  const { providers = [], ...cqrs } = CqrsModule.forRoot();
  // Those of the dynamic module stand after the library's own, and so take their places.
  return {
    ...cqrs,
    providers: [
      ...providers,
      { provide: CommandBus, useClass: DirectCommandBus },
      { provide: QueryBus, useClass: DirectQueryBus },
    ],
  };
}
