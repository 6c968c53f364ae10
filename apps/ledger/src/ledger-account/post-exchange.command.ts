import { CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { PostExchange } from '@ponte/contracts';
import type { ReplyOf } from '@ponte/event-sourcing';
import { RequestCommand } from '@ponte/nest';
import type { LedgerAccountCommand } from './ledger-account.commands';
import { exchangePostingId } from './ledger-account.commands';
import { LedgerAccounts } from './ledger-accounts.repository';

/** Exchanges what an order holds for what it bought, once per order. */
export class PostExchangeCommand extends RequestCommand<typeof PostExchange> {}

@CommandHandler(PostExchangeCommand)
export class PostExchangeHandler implements ICommandHandler<PostExchangeCommand> {
  constructor(private readonly ledgerAccounts: LedgerAccounts) {}

  async execute({ payload, context }: PostExchangeCommand): Promise<ReplyOf<typeof PostExchange>> {
    const { accountId, orderId } = payload;
    const command = (now: string): LedgerAccountCommand => ({ kind: 'post-exchange', ...payload, now });
    await this.ledgerAccounts.execute(accountId, command, context);
    return { postingId: exchangePostingId(orderId) };
  }
}
