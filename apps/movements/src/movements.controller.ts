import { Controller, Inject } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import * as movements from '@ponte/contracts';
import type { PayloadOf, Recorded, RequestContext } from '@ponte/event-sourcing';
import type { Policies } from '@ponte/nest';
import { Consumes, policiesOf, typesHandledBy } from '@ponte/nest';
import { ProvisionWalletsCommand } from './wallet/provision-wallets.command';
import { GetSettlementQuery } from './settlement/get-settlement.query';
import { RequestSettlementCommand } from './settlement/request-settlement.command';
import { GetAccountWalletsQuery } from './wallet/get-account-wallets.query';
import { GetChainsQuery } from './chain/get-chains.query';
import { GetSharePriceQuery } from './chain/get-share-price.query';
import { ResolveWalletQuery } from './wallet/resolve-wallet.query';
import { CheckTokenDestinationQuery } from './token-movement/check-token-destination.query';
import { RequestTokenMovementCommand } from './token-movement/request-token-movement.command';
import { MOVEMENTS_POLICIES } from './movements.policies';

type Of<D extends keyof typeof movements> = PayloadOf<(typeof movements)[D]>;

@Controller()
export class MovementsMessages {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    @Inject(policiesOf('movements')) private readonly policies: Policies,
  ) {}

  @MessagePattern(movements.RequestSettlement.pattern)
  requestSettlement(@Payload() payload: Of<'RequestSettlement'>, @Ctx() context: RequestContext) {
    return this.commands.execute(new RequestSettlementCommand(payload, context));
  }

  @MessagePattern(movements.ProvisionWallets.pattern)
  provisionWallets(@Payload() payload: Of<'ProvisionWallets'>, @Ctx() context: RequestContext) {
    return this.commands.execute(new ProvisionWalletsCommand(payload, context));
  }

  @MessagePattern(movements.GetAccountWallets.pattern)
  getAccountWallets(@Payload() payload: Of<'GetAccountWallets'>) {
    return this.queries.execute(new GetAccountWalletsQuery(payload));
  }

  @MessagePattern(movements.ResolveWallet.pattern)
  resolveWallet(@Payload() payload: Of<'ResolveWallet'>, @Ctx() context: RequestContext) {
    return this.queries.execute(new ResolveWalletQuery({ ...payload, context }));
  }

  @MessagePattern(movements.GetSettlement.pattern)
  getSettlement(@Payload() payload: Of<'GetSettlement'>) {
    return this.queries.execute(new GetSettlementQuery(payload));
  }

  @MessagePattern(movements.GetSharePrice.pattern)
  getSharePrice(@Payload() payload: Of<'GetSharePrice'>) {
    return this.queries.execute(new GetSharePriceQuery(payload));
  }

  @MessagePattern(movements.GetChains.pattern)
  getChains() {
    return this.queries.execute(new GetChainsQuery());
  }

  @MessagePattern(movements.RequestTokenMovement.pattern)
  requestTokenMovement(@Payload() payload: Of<'RequestTokenMovement'>, @Ctx() context: RequestContext) {
    return this.commands.execute(new RequestTokenMovementCommand(payload, context));
  }

  @MessagePattern(movements.CheckTokenDestination.pattern)
  checkTokenDestination(@Payload() payload: Of<'CheckTokenDestination'>) {
    return this.queries.execute(new CheckTokenDestinationQuery(payload));
  }

  @Consumes('movements', 'movements', typesHandledBy(MOVEMENTS_POLICIES))
  onMovements(@Payload() event: Recorded) {
    return this.policies.dispatch(event);
  }

  @Consumes('onboarding', 'movements', typesHandledBy(MOVEMENTS_POLICIES))
  onOnboarding(@Payload() event: Recorded) {
    return this.policies.dispatch(event);
  }

  @Consumes('ledger', 'movements', typesHandledBy(MOVEMENTS_POLICIES))
  onLedger(@Payload() event: Recorded) {
    return this.policies.dispatch(event);
  }
}
