import { Inject } from '@nestjs/common';
import { CommandBus, EventsHandler } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import type { DepositRecord, Page, PageCursor } from '@ponte/contracts';
import { AccountReleased } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { CarryDepositOnCommand } from '../commands/carry-deposit-on';
import { DEPOSIT_ROWS } from '../ports/deposit-rows';
import type { DepositRows } from '../ports/deposit-rows';

const PAGE = 200;

/** Deposits of a frozen account stay confirmed. Once it is released they are credited; one that the list does not show yet is found by the timer. */
@EventsHandler(AccountReleased)
export class WhenAccountReleasedCreditDeposits implements IEventHandler<Recorded<AccountReleased>> {
  constructor(private readonly commands: CommandBus, @Inject(DEPOSIT_ROWS) private readonly rows: DepositRows) {}

  async handle(event: Recorded<AccountReleased>): Promise<void> {
    const context = causedBy(event, 'credit-deposits', 'when-account-released');
    let cursor: PageCursor | null = null;
    do {
      const { items, next }: Page<DepositRecord> = await this.rows.page(
        event.data.accountId, { assets: ['fiat/brl'], status: 'confirmed', type: null, endToEndId: null }, { limit: PAGE, cursor, createdFrom: null, createdTo: null },
      );
      for (const { id } of items) await this.commands.execute(new CarryDepositOnCommand(id, { ...context, commandId: derivedId('credit-released', context.commandId, id) }));
      cursor = next;
    } while (cursor !== null);
  }
}
