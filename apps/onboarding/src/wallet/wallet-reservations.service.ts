import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { Accounts } from '../account/accounts.service';
import { isFreed } from '../account-request/account-request.state';
import { AccountRequests } from '../account-request/account-requests.service';
import type { HeldReservation } from '../reservation/reservation.decider';
import { walletReservationId } from '../reservation/reservation-ids.domain';
import { Reservations } from '../reservation/reservations.service';

const whitelistClaimOf = (accountId: string, address: string): string =>
  derivedId('whitelisted-wallet', accountId, address);

/**
 * Which account an external wallet is registered to: that of the request that names it, or the one for which an
 * operator whitelisted it. Addresses are in lower case.
 */
@Injectable()
export class WalletReservations {
  constructor(
    private readonly accounts: Accounts,
    private readonly requests: AccountRequests,
    private readonly reservations: Reservations,
  ) {}

  /** Whether another account has the wallet. Frees a reservation whose request has ended or whose account is closed. */
  async isTaken(address: string, accountId: string | null, context: RequestContext): Promise<boolean> {
    const reservationId = walletReservationId(address);
    const reservation = await this.reservations.load(reservationId);
    if (reservation.status === 'released' || reservation.accountId === accountId) return false;
    if (reservation.holderId === reservation.accountId) return !(await this.released(reservation, address, context));
    if (!isFreed(await this.requests.load(reservation.holderId))) return true;
    await this.reservations.free(reservationId, reservation.holderId, context);
    return false;
  }

  /**
   * Reserves the wallet for an account for which an operator whitelists it. False if another account has it. Repeating
   * it changes nothing.
   */
  async reserve(address: string, accountId: string, context: RequestContext): Promise<boolean> {
    if (await this.isTaken(address, accountId, context)) return false;
    const held = await this.reservations.claim(
      {
        ...{ reservationId: walletReservationId(address), of: 'wallet', address },
        ...{ holder: { holderId: accountId, accountId }, claimId: whitelistClaimOf(accountId, address) },
      },
      context,
    );
    return held.status === 'reserved' && held.accountId === accountId;
  }

  /**
   * Releases the claim of a closed account. The address of a wallet that Ponte created for it has another claim, which
   * stays.
   */
  private async released(held: HeldReservation, address: string, context: RequestContext): Promise<boolean> {
    const claimId = whitelistClaimOf(held.accountId, address);
    if (!held.claims.includes(claimId) || (await this.accounts.load(held.accountId)).status !== 'closed') return false;
    return (await this.reservations.releaseClaim(held.reservationId, claimId, context)).status === 'released';
  }
}
