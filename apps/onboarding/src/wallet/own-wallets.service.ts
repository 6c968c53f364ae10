import { Injectable } from '@nestjs/common';
import { WalletCreated, WalletWhitelisted } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy, upcaster } from '@ponte/event-sourcing';
import { walletReservationId } from '../reservation/reservation-ids.domain';
import { Reservations } from '../reservation/reservations.service';
import { WalletReservations } from './wallet-reservations.service';

/** The reader's name, which stores its log position. Operators may rewind it: a reservation is made only once. */
export const OWN_WALLETS_READER = 'onboarding-own-wallets';

/**
 * Permanently reserves the addresses of our own wallets, so that they cannot be registered as external wallets. It also
 * reserves wallets that operators whitelisted, for their accounts; earlier releases did not. Reads the log by category,
 * because movements records many other events that are not needed here.
 */
@Injectable()
export class OwnWallets {
  static readonly categories = ['wallet', 'account'];
  private readonly current = upcaster([WalletCreated, WalletWhitelisted]);

  constructor(
    private readonly reservations: Reservations,
    private readonly wallets: WalletReservations,
  ) {}

  async apply(events: readonly Recorded[]): Promise<void> {
    for (const event of events) {
      if (event.type === WalletCreated.type) await this.reserveOwn(event);
      if (event.type === WalletWhitelisted.type) await this.reserveWhitelisted(event);
    }
  }

  private async reserveOwn(event: Recorded): Promise<void> {
    const { accountId, address: cased } = this.current<WalletCreated>(event).data;
    const address = cased.toLowerCase();
    const reservationId = walletReservationId(address);
    const holder = { holderId: accountId, accountId };
    await this.reservations.claim(
      { reservationId, of: 'wallet', address, holder, claimId: accountId },
      causedBy(event, 'reserve-address', 'own-wallets'),
    );
  }

  /** If another account already has the wallet, both keep it. */
  private async reserveWhitelisted(event: Recorded): Promise<void> {
    const { accountId, address, source } = this.current<WalletWhitelisted>(event).data;
    if (source !== 'operator') return;
    await this.wallets.reserve(address.toLowerCase(), accountId, causedBy(event, 'reserve-address', 'own-wallets'));
  }
}
