import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { ListAllTransfers, Page, TransferRecord } from '@ponte/contracts';
import type { PayloadOf } from '@ponte/event-sourcing';
import { TransferReadModel } from './transfers.read-model';

/** Of one account, or of every account. */
export class ListTransfersQuery extends Query<Page<TransferRecord>> {
  constructor(readonly payload: PayloadOf<typeof ListAllTransfers>) {
    super();
  }
}

@QueryHandler(ListTransfersQuery)
export class ListTransfersHandler implements IQueryHandler<ListTransfersQuery> {
  constructor(private readonly readModel: TransferReadModel) {}

  execute({ payload: { accountId, filters, page } }: ListTransfersQuery): Promise<Page<TransferRecord>> {
    return this.readModel.page(accountId, filters, page);
  }
}

/** Transfers of every account that have not ended, oldest last. */
export class ListOpenTransfersQuery extends Query<{ readonly transfers: readonly TransferRecord[] }> {
  constructor(readonly limit: number) {
    super();
  }
}

@QueryHandler(ListOpenTransfersQuery)
export class ListOpenTransfersHandler implements IQueryHandler<ListOpenTransfersQuery> {
  constructor(private readonly readModel: TransferReadModel) {}

  async execute({ limit }: ListOpenTransfersQuery): Promise<{ readonly transfers: readonly TransferRecord[] }> {
    const { items } = await this.readModel.records({
      where: { unfinished: 1 },
      page: { limit, cursor: null, createdFrom: null, createdTo: null },
    });
    return { transfers: items };
  }
}
