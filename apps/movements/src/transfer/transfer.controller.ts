import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import { CreateTransfer, GetAnyTransfer, GetTransfer, ListAllTransfers, ListTransfers } from '@ponte/contracts';
import type { PayloadOf, RequestContext } from '@ponte/event-sourcing';
import { CreateTransferCommand } from './create-transfer.command';
import { GetTransferQuery } from './get-transfer.query';
import { ListTransfersQuery } from './list-transfers.query';

@Controller()
export class TransferMessages {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @MessagePattern(CreateTransfer.pattern)
  create(@Payload() payload: PayloadOf<typeof CreateTransfer>, @Ctx() context: RequestContext) {
    return this.commands.execute(new CreateTransferCommand(payload, context));
  }

  @MessagePattern(GetTransfer.pattern)
  get(@Payload() payload: PayloadOf<typeof GetTransfer>) {
    return this.queries.execute(new GetTransferQuery(payload));
  }

  @MessagePattern(ListTransfers.pattern)
  list(@Payload() payload: PayloadOf<typeof ListTransfers>) {
    return this.queries.execute(new ListTransfersQuery(payload));
  }

  @MessagePattern(ListAllTransfers.pattern)
  listAll(@Payload() payload: PayloadOf<typeof ListAllTransfers>) {
    return this.queries.execute(new ListTransfersQuery(payload));
  }

  @MessagePattern(GetAnyTransfer.pattern)
  getAny(@Payload() { transferId }: PayloadOf<typeof GetAnyTransfer>) {
    return this.queries.execute(new GetTransferQuery({ accountId: null, transferId }));
  }
}
