import { Inject } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import * as movements from '@ponte/contracts';
import type { PayloadOf, Recorded, RequestContext } from '@ponte/event-sourcing';
import type { Policies } from '@ponte/nest';
import { Consumes, Messages, policiesOf, typesHandledBy } from '@ponte/nest';
import { ProvisionWalletsCommand } from './commands/provision-wallets';
import { refuse } from '@ponte/kernel';
import { RequestMintCommand } from './commands/request-mint';
import { GetAccountWalletsQuery } from './queries/get-account-wallets';
import { GetChainsQuery } from './queries/get-chains';
import { GetMintQuery } from './queries/get-mint';
import { ResolveWalletQuery } from './queries/resolve-wallet';
import { MOVEMENTS_POLICIES } from './policies/movements.policies';

type Of<D extends keyof typeof movements> = PayloadOf<(typeof movements)[D]>;

@Messages()
export class MovementsMessages {
  constructor(
    private readonly commands: CommandBus, private readonly queries: QueryBus,
    @Inject(policiesOf('movements')) private readonly policies: Policies,
  ) {}

  @MessagePattern(movements.RequestMint.pattern)
  requestMint(@Payload() { mintId, orderId, accountId, asset, amount, to }: Of<'RequestMint'>, @Ctx() context: RequestContext) {
    return this.commands.execute(new RequestMintCommand({ kind: 'mint', id: mintId, orderId, accountId, asset, amount, to }, context));
  }

  @MessagePattern(movements.RequestSettlement.pattern)
  async requestSettlement(@Payload() payload: Of<'RequestSettlement'>, @Ctx() context: RequestContext) {
    const { settlementId, orderId, accountId, kind, asset, amount, wallet } = payload;
    if (kind !== 'mint') return refuse('asset-not-supported', `a settlement of kind ${kind} is not supported here`, 'kind');
    const purpose = { kind, id: settlementId, orderId, accountId, asset, amount, to: wallet } as const;
    await this.commands.execute(new RequestMintCommand(purpose, context));
    return { settlementId };
  }

  @MessagePattern(movements.ProvisionWallets.pattern)
  provisionWallets(@Payload() payload: Of<'ProvisionWallets'>, @Ctx() context: RequestContext) {
    return this.commands.execute(new ProvisionWalletsCommand(payload, context));
  }

  @MessagePattern(movements.GetMint.pattern)
  getMint(@Payload() { mintId }: Of<'GetMint'>) {
    return this.queries.execute(new GetMintQuery(mintId));
  }

  @MessagePattern(movements.GetAccountWallets.pattern)
  getAccountWallets(@Payload() { accountId }: Of<'GetAccountWallets'>) {
    return this.queries.execute(new GetAccountWalletsQuery(accountId));
  }

  @MessagePattern(movements.ResolveWallet.pattern)
  resolveWallet(@Payload() { accountId, chain, address }: Of<'ResolveWallet'>, @Ctx() context: RequestContext) {
    return this.queries.execute(new ResolveWalletQuery(accountId, chain, address, context));
  }

  @MessagePattern(movements.GetChains.pattern)
  getChains() {
    return this.queries.execute(new GetChainsQuery());
  }

  @Consumes('onboarding', 'movements', typesHandledBy(MOVEMENTS_POLICIES))
  onOnboarding(@Payload() event: Recorded) {
    return this.policies.dispatch(event);
  }
}
