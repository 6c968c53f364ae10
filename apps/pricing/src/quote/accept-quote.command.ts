import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { Timestamp } from '@ponte/contracts';
import type { Aggregates, RequestContext } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { CLOCK, commandContext } from '@ponte/nest';
import { quote } from './quote.decider';
import { QUOTES } from './quotes.port';

/** Records what the order's stream has decided. */
export class AcceptQuoteCommand extends Command<void> {
  constructor(
    readonly quoteId: string,
    readonly orderId: string,
    readonly acceptedAt: Timestamp,
    readonly context: RequestContext,
  ) {
    super();
  }
}

@CommandHandler(AcceptQuoteCommand)
export class AcceptQuoteHandler implements ICommandHandler<AcceptQuoteCommand> {
  constructor(
    @Inject(QUOTES) private readonly aggregates: Aggregates,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ quoteId, orderId, acceptedAt, context }: AcceptQuoteCommand): Promise<void> {
    await this.aggregates.handle(
      quote,
      quoteId,
      { kind: 'record-acceptance', quoteId, orderId, acceptedAt },
      commandContext(context, this.clock),
    );
  }
}
