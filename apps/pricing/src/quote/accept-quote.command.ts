import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { Timestamp } from '@ponte/contracts';
import type { Aggregates } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { CLOCK, commandContext, PayloadCommand } from '@ponte/nest';
import { quote } from './quote.decider';
import { QUOTES } from './quotes.port';

/** Records what the order's stream has decided. */
export class AcceptQuoteCommand extends PayloadCommand<{
  readonly quoteId: string;
  readonly orderId: string;
  readonly acceptedAt: Timestamp;
}> {}

@CommandHandler(AcceptQuoteCommand)
export class AcceptQuoteHandler implements ICommandHandler<AcceptQuoteCommand> {
  constructor(
    @Inject(QUOTES) private readonly aggregates: Aggregates,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ payload: { quoteId, orderId, acceptedAt }, context }: AcceptQuoteCommand): Promise<void> {
    await this.aggregates.handle(
      quote,
      quoteId,
      { kind: 'record-acceptance', quoteId, orderId, acceptedAt },
      commandContext(context, this.clock),
    );
  }
}
