import { CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { PlaceHold } from '@ponte/contracts';
import type { ReplyOf } from '@ponte/event-sourcing';
import { RequestCommand } from '@ponte/nest';
import type { LedgerAccountCommand } from './ledger-account.commands';
import { LedgerAccounts } from './ledger-accounts.repository';

/** Sets an amount aside for its owner. Refuses `insufficient-balance`. */
export class PlaceHoldCommand extends RequestCommand<typeof PlaceHold> {}

@CommandHandler(PlaceHoldCommand)
export class PlaceHoldHandler implements ICommandHandler<PlaceHoldCommand> {
  constructor(private readonly ledgerAccounts: LedgerAccounts) {}

  async execute({
    payload: { accountId, hold, funds },
    context,
  }: PlaceHoldCommand): Promise<ReplyOf<typeof PlaceHold>> {
    const command = (now: string): LedgerAccountCommand => ({ kind: 'place-hold', accountId, hold, funds, now });
    const { holdId } = hold;
    const { holds } = await this.ledgerAccounts.execute(accountId, command, context);
    return { holdId, source: holds.get(holdId)?.source };
  }
}
