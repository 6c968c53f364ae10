import { Injectable } from '@nestjs/common';
import { WalletCreated } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy, upcaster } from '@ponte/event-sourcing';
import { walletReservationId } from '../reservation/reservation-ids.domain';
import { Reservations } from '../reservation/reservations';

/** The reader's name, with its position in the log. Operators may move it back: a reservation is made only once. */
export const OWN_WALLETS_READER = 'onboarding-own-wallets';

/**
 * Reserves the addresses of our own wallets for good, so that no one can register one of them as an external wallet.
 * It reads the log by category, because movements records many other events that do not matter here.
 */
@Injectable()
export class OwnWallets {
  static readonly categories = ['wallet'];
  private readonly current = upcaster([WalletCreated]);

  constructor(private readonly reservations: Reservations) {}

  async apply(events: readonly Recorded[]): Promise<void> {
    for (const event of events.filter(({ type }) => type === WalletCreated.type)) {
      const { accountId, address: cased } = this.current<WalletCreated>(event).data;
      const address = cased.toLowerCase();
      const reservationId = walletReservationId(address);
      const holder = { holderId: accountId, accountId };
      await this.reservations.claim(
        { reservationId, of: 'wallet', address, holder, claimId: accountId },
        causedBy(event, 'reserve-address', 'own-wallets'),
      );
    }
  }
}
