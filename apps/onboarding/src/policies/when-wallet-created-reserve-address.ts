import type { IEventHandler } from '@nestjs/cqrs';
import { CommandBus, EventsHandler } from '@nestjs/cqrs';
import { WalletCreated } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { ReserveOwnWalletCommand } from '../commands/reserve-own-wallet';

/** Our own wallets are somebody's too. */
@EventsHandler(WalletCreated)
export class WhenWalletCreatedReserveAddress implements IEventHandler<Recorded<WalletCreated>> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Recorded<WalletCreated>): Promise<void> {
    await this.commands.execute(new ReserveOwnWalletCommand(event.data, causedBy(event, 'reserve-own-wallet', 'when-wallet-created-reserve-address')));
  }
}
