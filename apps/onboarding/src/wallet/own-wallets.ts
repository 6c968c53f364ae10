import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { WalletCreated } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy, upcaster } from '@ponte/event-sourcing';
import { ReserveOwnWalletCommand } from './reserve-own-wallet.command';

/** Its place in the log. Operators may put it back: a reservation that is there is not made again. */
export const OWN_WALLETS_READER = 'onboarding-own-wallets';

/**
 * Our own wallets are someone's too. Read from the log by category: the other events of movements are many, and none of
 * them is news here.
 */
@Injectable()
export class OwnWallets {
  static readonly categories = ['wallet'];
  private readonly current = upcaster([WalletCreated]);

  constructor(private readonly commands: CommandBus) {}

  async apply(events: readonly Recorded[]): Promise<void> {
    for (const event of events.filter(({ type }) => type === WalletCreated.type)) {
      const { data } = this.current<WalletCreated>(event);
      await this.commands.execute(new ReserveOwnWalletCommand(data, causedBy(event, 'reserve-address', 'own-wallets')));
    }
  }
}
