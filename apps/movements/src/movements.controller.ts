import { Controller, Inject } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Payload } from '@nestjs/microservices';
import {
  FindHouseAddresses,
  CheckTokenMovement,
  GetAccountWallets,
  GetChains,
  GetSettlement,
  GetSharePrice,
  ProvisionWallets,
  RefuseSettlement,
  RequestSettlement,
  RequestTokenMovement,
  ResolveWallet,
} from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import type { Policies } from '@ponte/nest';
import { Consumes, forwardRequests, policiesOf, typesHandledBy } from '@ponte/nest';
import { ProvisionWalletsCommand } from './wallet/provision-wallets.command';
import { GetSettlementQuery } from './settlement/get-settlement.query';
import { RefuseSettlementCommand } from './settlement/refuse-settlement.command';
import { RequestSettlementCommand } from './settlement/request-settlement.command';
import { GetAccountWalletsQuery } from './wallet/wallet.queries';
import { GetChainsQuery, GetSharePriceQuery } from './chain/chain.queries';
import { ResolveWalletQuery } from './wallet/resolve-wallet.query';
import { FindHouseAddressesQuery } from './token-movement/find-house-addresses.query';
import { CheckTokenMovementQuery } from './token-movement/check-token-movement.query';
import { RequestTokenMovementCommand } from './token-movement/request-token-movement.command';
import { MOVEMENTS_POLICIES } from './movements.policies';

/** The messages of this service: requests, and the events that its policies follow. */
@Controller()
export class MovementsMessages extends forwardRequests(
  [RequestSettlement, RequestSettlementCommand],
  [RefuseSettlement, RefuseSettlementCommand],
  [ProvisionWallets, ProvisionWalletsCommand],
  [GetAccountWallets, GetAccountWalletsQuery],
  [ResolveWallet, ResolveWalletQuery],
  [GetSettlement, GetSettlementQuery],
  [GetSharePrice, GetSharePriceQuery],
  [GetChains, GetChainsQuery],
  [RequestTokenMovement, RequestTokenMovementCommand],
  [CheckTokenMovement, CheckTokenMovementQuery],
  [FindHouseAddresses, FindHouseAddressesQuery],
) {
  constructor(
    commands: CommandBus,
    queries: QueryBus,
    @Inject(policiesOf('movements')) private readonly policies: Policies,
  ) {
    super(commands, queries);
  }

  @Consumes(['movements', 'onboarding', 'ledger'], 'movements', typesHandledBy(MOVEMENTS_POLICIES))
  onEvent(@Payload() event: Recorded): Promise<void> {
    return this.policies.dispatch(event);
  }
}
