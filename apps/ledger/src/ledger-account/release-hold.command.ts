import { CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { ReleaseHold } from '@ponte/contracts';
import type { ReplyOf } from '@ponte/event-sourcing';
import { RequestCommand } from '@ponte/nest';
import { LedgerAccounts } from './ledger-accounts.repository';

/** Makes held money available again. Does nothing if the hold is not open or is the payment of a charge. */
export class ReleaseHoldCommand extends RequestCommand<typeof ReleaseHold> {}

@CommandHandler(ReleaseHoldCommand)
export class ReleaseHoldHandler implements ICommandHandler<ReleaseHoldCommand> {
  constructor(private readonly ledgerAccounts: LedgerAccounts) {}

  async execute({
    payload: { accountId, holdId, reason, placed = false },
    context,
  }: ReleaseHoldCommand): Promise<ReplyOf<typeof ReleaseHold>> {
    const { events } = await this.ledgerAccounts.handle(
      accountId,
      { kind: 'release-hold', accountId, holdId, reason, placed },
      context,
    );
    return { released: events.length > 0 };
  }
}
