import type { IQueryHandler } from '@nestjs/cqrs';
import { QueryHandler } from '@nestjs/cqrs';
import type { ListAllTransfers, Page, TransferRecord } from '@ponte/contracts';
import type { PayloadOf } from '@ponte/event-sourcing';
import { PayloadQuery } from '@ponte/nest';
import { TransferReadModel } from './transfers.read-model';

/** Of one account, or of every account. */
export class ListTransfersQuery extends PayloadQuery<PayloadOf<typeof ListAllTransfers>, Page<TransferRecord>> {}

@QueryHandler(ListTransfersQuery)
export class ListTransfersHandler implements IQueryHandler<ListTransfersQuery> {
  constructor(private readonly readModel: TransferReadModel) {}

  execute({ payload: { accountId, filters, page } }: ListTransfersQuery): Promise<Page<TransferRecord>> {
    return this.readModel.page(accountId, filters, page);
  }
}
