import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import {
  CreateNftTransfer,
  GetAnyNftTransfer,
  GetNftTransfer,
  ListAllNftTransfers,
  ListNftTransfers,
} from '@ponte/contracts';
import type { PayloadOf, RequestContext } from '@ponte/event-sourcing';
import { CreateNftTransferCommand } from './create-nft-transfer.command';
import { GetNftTransferQuery, ListNftTransfersQuery } from './list-nft-transfers.query';

@Controller()
export class NftTransferMessages {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @MessagePattern(CreateNftTransfer.pattern)
  create(@Payload() payload: PayloadOf<typeof CreateNftTransfer>, @Ctx() context: RequestContext) {
    return this.commands.execute(new CreateNftTransferCommand(payload, context));
  }

  @MessagePattern(GetNftTransfer.pattern)
  get(@Payload() payload: PayloadOf<typeof GetNftTransfer>) {
    return this.queries.execute(new GetNftTransferQuery(payload));
  }

  @MessagePattern(GetAnyNftTransfer.pattern)
  getAny(@Payload() { transferId }: PayloadOf<typeof GetAnyNftTransfer>) {
    return this.queries.execute(new GetNftTransferQuery({ accountId: null, transferId }));
  }

  @MessagePattern(ListNftTransfers.pattern)
  list(@Payload() payload: PayloadOf<typeof ListNftTransfers>) {
    return this.queries.execute(new ListNftTransfersQuery(payload));
  }

  @MessagePattern(ListAllNftTransfers.pattern)
  listAll(@Payload() payload: PayloadOf<typeof ListAllNftTransfers>) {
    return this.queries.execute(new ListNftTransfersQuery(payload));
  }
}
