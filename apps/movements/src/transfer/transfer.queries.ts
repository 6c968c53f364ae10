import type { IQueryHandler } from '@nestjs/cqrs';
import { QueryHandler } from '@nestjs/cqrs';
import type { GetAnyTransfer, GetTransfer, ListAllTransfers, Page, TransferRecord } from '@ponte/contracts';
import { RequestQuery } from '@ponte/nest';
import { transferRecord } from './transfer.decider';
import { Transfers } from './transfer.repository';
import { TransferReadModel } from './transfers.read-model';

/** Reads one transfer; null when it does not exist or does not belong to the account. */
export class GetTransferQuery extends RequestQuery<typeof GetTransfer | typeof GetAnyTransfer> {}

@QueryHandler(GetTransferQuery)
export class GetTransferHandler implements IQueryHandler<GetTransferQuery> {
  constructor(private readonly transfers: Transfers) {}

  async execute({ payload }: GetTransferQuery): Promise<TransferRecord | null> {
    const record = transferRecord(await this.transfers.load(payload.transferId));
    return 'accountId' in payload && record?.accountId !== payload.accountId ? null : record;
  }
}

/** Lists the transfers of one account or of all accounts. */
export class ListTransfersQuery extends RequestQuery<typeof ListAllTransfers> {}

@QueryHandler(ListTransfersQuery)
export class ListTransfersHandler implements IQueryHandler<ListTransfersQuery> {
  constructor(private readonly readModel: TransferReadModel) {}

  execute({ payload: { accountId, filters, page } }: ListTransfersQuery): Promise<Page<TransferRecord>> {
    return this.readModel.page(accountId, filters, page);
  }
}
