import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { TransferRecord } from '@ponte/contracts';
import { transferRecord } from './transfer.decider';
import { Transfers } from './transfer.repository';

/** Null when there is no such transfer, or it is another account's. */
export class GetTransferQuery extends Query<TransferRecord | null> {
  constructor(
    readonly accountId: string,
    readonly transferId: string,
  ) {
    super();
  }
}

@QueryHandler(GetTransferQuery)
export class GetTransferHandler implements IQueryHandler<GetTransferQuery> {
  constructor(private readonly transfers: Transfers) {}

  async execute({ accountId, transferId }: GetTransferQuery): Promise<TransferRecord | null> {
    const record = transferRecord(await this.transfers.load(transferId));
    return record?.accountId === accountId ? record : null;
  }
}
