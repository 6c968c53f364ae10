import { Controller } from '@nestjs/common';
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
import { forwardRequests, policiesController } from '@ponte/nest';
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

/** The requests that belong to no feature. */
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
) {}

/** Receives the events that the policies of this service handle. */
export const MovementsEvents = policiesController(
  ['movements', 'onboarding', 'ledger'],
  'movements',
  MOVEMENTS_POLICIES,
);
