import { Inject } from '@nestjs/common';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { ExchangePayload, PostExchange } from '@ponte/contracts';
import type { ReplyOf, RequestContext } from '@ponte/event-sourcing';
import { Aggregates } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { CLOCK, commandContext } from '@ponte/nest';
import type { LedgerAccountCommand } from './ledger-account.commands';
import { ledgerAccount } from './ledger-account.decider';
import { exchangePostingId } from './ledger-account.commands';

/** Turns what an order holds into what it bought, once per order. */
export class PostExchangeCommand extends Command<ReplyOf<typeof PostExchange>> {
  constructor(
    readonly payload: ExchangePayload,
    readonly context: RequestContext,
  ) {
    super();
  }
}

@CommandHandler(PostExchangeCommand)
export class PostExchangeHandler implements ICommandHandler<PostExchangeCommand> {
  constructor(
    private readonly aggregates: Aggregates,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ payload, context }: PostExchangeCommand): Promise<ReplyOf<typeof PostExchange>> {
    const { accountId, orderId } = payload;
    const command = (now: string): LedgerAccountCommand => ({ kind: 'post-exchange', ...payload, now });
    await this.aggregates.handle(ledgerAccount, accountId, command, commandContext(context, this.clock));
    return { postingId: exchangePostingId(orderId) };
  }
}
