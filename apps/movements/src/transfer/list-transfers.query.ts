import { Inject } from '@nestjs/common';
import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { ListAllTransfers, Page, TransferRecord } from '@ponte/contracts';
import type { PayloadOf } from '@ponte/event-sourcing';
import type { TransfersTable } from './transfers-table.port';
import { TRANSFERS_TABLE } from './transfers-table.port';
import { transfersPage } from './transfers.read-model';

/** Of one account, or of every account. */
export class ListTransfersQuery extends Query<Page<TransferRecord>> {
  constructor(readonly payload: PayloadOf<typeof ListAllTransfers>) {
    super();
  }
}

@QueryHandler(ListTransfersQuery)
export class ListTransfersHandler implements IQueryHandler<ListTransfersQuery> {
  constructor(@Inject(TRANSFERS_TABLE) private readonly table: TransfersTable) {}

  execute({ payload: { accountId, filters, page } }: ListTransfersQuery): Promise<Page<TransferRecord>> {
    return transfersPage(this.table, accountId, filters, page);
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
  constructor(@Inject(TRANSFERS_TABLE) private readonly table: TransfersTable) {}

  async execute({ limit }: ListOpenTransfersQuery): Promise<{ readonly transfers: readonly TransferRecord[] }> {
    const { items } = await this.table.page({
      where: { unfinished: 1 },
      page: { limit, cursor: null, createdFrom: null, createdTo: null },
    });
    return { transfers: items.map(({ record }) => record) };
  }
}
