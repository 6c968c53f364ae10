import { CommandBus } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import type { DepositRecord, Page, PageCursor } from '@ponte/contracts';
import { AccountReleased } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { ASSET_IDS, derivedId } from '@ponte/kernel';
import { Policy } from '@ponte/nest';
import { AdvanceDepositCommand } from './advance-deposit.command';
import { DepositReadModel } from './deposits.read-model';

const PAGE = 200;

/**
 * Credits the confirmed deposits of an account that is released from a freeze. Deposits that the list does not show yet
 * are found by the timer.
 */
@Policy(AccountReleased)
export class WhenAccountReleasedCreditDeposits implements IEventHandler<Recorded<AccountReleased>> {
  constructor(
    private readonly commands: CommandBus,
    private readonly readModel: DepositReadModel,
  ) {}

  async handle(event: Recorded<AccountReleased>): Promise<void> {
    const context = causedBy(event, 'credit-deposits', 'when-account-released');
    let cursor: PageCursor | null = null;
    do {
      const { items, next }: Page<DepositRecord> = await this.readModel.page(
        event.data.accountId,
        { assets: ASSET_IDS, status: 'confirmed', type: null, endToEndId: null, txHash: null },
        { limit: PAGE, cursor, createdFrom: null, createdTo: null },
      );
      for (const { id } of items)
        await this.commands.execute(
          new AdvanceDepositCommand(
            { depositId: id },
            { ...context, commandId: derivedId('credit-released', context.commandId, id) },
          ),
        );
      cursor = next;
    } while (cursor !== null);
  }
}
