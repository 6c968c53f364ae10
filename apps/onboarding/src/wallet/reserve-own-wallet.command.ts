import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { RequestContext } from '@ponte/event-sourcing';
import { walletReservationId } from '../reservation/reservation-ids.domain';
import { Reservations } from '../reservation/reservations';

/** A wallet of ours reserves its address too, for good: no one else can then register it as their own. */
export class ReserveOwnWalletCommand extends Command<void> {
  constructor(
    readonly wallet: { readonly accountId: string; readonly address: string },
    readonly context: RequestContext,
  ) {
    super();
  }
}

@CommandHandler(ReserveOwnWalletCommand)
export class ReserveOwnWalletHandler implements ICommandHandler<ReserveOwnWalletCommand> {
  constructor(private readonly reservations: Reservations) {}

  async execute({ wallet: { accountId, address: cased }, context }: ReserveOwnWalletCommand): Promise<void> {
    const address = cased.toLowerCase();
    await this.reservations.claim(
      {
        reservationId: walletReservationId(address),
        of: 'wallet',
        address,
        holderOf: () => ({ holderId: accountId, accountId }),
        claimId: accountId,
      },
      context,
    );
  }
}
