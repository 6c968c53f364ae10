import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import { behindEvent } from '@ponte/event-sourcing';
import { PayloadCommand } from '@ponte/nest';
import { isFreed, isOpenRequest } from '../account-request/account-request.state';
import { identifierReservationId, walletReservationId } from './reservation-ids.domain';
import { AccountRequests } from '../account-request/account-requests.service';
import { Reservations } from './reservations.service';

/** Frees the person and the wallets of a request that ended without an account, or whose account was closed. */
export class FreeReservationsCommand extends PayloadCommand<{ readonly requestId: string }> {}

@CommandHandler(FreeReservationsCommand)
export class FreeReservationsHandler implements ICommandHandler<FreeReservationsCommand> {
  constructor(
    private readonly requests: AccountRequests,
    private readonly reservations: Reservations,
  ) {}

  async execute({ payload: { requestId }, context }: FreeReservationsCommand): Promise<void> {
    const state = await this.requests.load(requestId);
    // The request has ended finally, so any other status means an old state.
    if (!isOpenRequest(state) || !isFreed(state)) return behindEvent(`account request ${requestId}`, state.status);
    const {
      parentId,
      externalWallets,
      details: { holder },
    } = state.terms;
    const ids = [
      identifierReservationId(parentId, holder.country, holder.identifierFingerprint),
      ...externalWallets.map(({ address }) => walletReservationId(address)),
    ];
    await Promise.all(ids.map((id) => this.reservations.free(id, requestId, context)));
  }
}
