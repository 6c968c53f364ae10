import { Injectable } from '@nestjs/common';
import { WalletCreated } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy, upcaster } from '@ponte/event-sourcing';
import { walletReservationId } from '../reservation/reservation-ids.domain';
import { Reservations } from '../reservation/reservations';

/** The reader's name, which stores its log position. Operators may rewind it: a reservation is made only once. */
export const OWN_WALLETS_READER = 'onboarding-own-wallets';

/**
 * Permanently reserves the addresses of our own wallets, so that they cannot be registered as external wallets. Reads
 * the log by category, because movements records many other events that are not needed here.
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
