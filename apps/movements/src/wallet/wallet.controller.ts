import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import { ChangeWalletMetadata, CreateWallet, ListWallets } from '@ponte/contracts';
import type { PayloadOf, RequestContext } from '@ponte/event-sourcing';
import { ChangeWalletMetadataCommand } from './change-wallet-metadata.command';
import { CreateWalletCommand } from './create-wallet.command';
import { ListWalletsQuery } from './list-wallets.query';

@Controller()
export class WalletMessages {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @MessagePattern(CreateWallet.pattern)
  create(@Payload() payload: PayloadOf<typeof CreateWallet>, @Ctx() context: RequestContext) {
    return this.commands.execute(new CreateWalletCommand(payload, context));
  }

  @MessagePattern(ChangeWalletMetadata.pattern)
  changeMetadata(@Payload() payload: PayloadOf<typeof ChangeWalletMetadata>, @Ctx() context: RequestContext) {
    return this.commands.execute(new ChangeWalletMetadataCommand(payload, context));
  }

  @MessagePattern(ListWallets.pattern)
  list(@Payload() payload: PayloadOf<typeof ListWallets>) {
    return this.queries.execute(new ListWalletsQuery(payload));
  }
}
