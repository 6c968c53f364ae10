import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { ListAllNftTransfers, NftTransferRecord, Page } from '@ponte/contracts';
import type { PayloadOf } from '@ponte/event-sourcing';
import { nftTransferRecord } from './nft-transfer.decider';
import { NftTransfers } from './nft-transfer.repository';
import { NftTransferReadModel } from './nft-transfers.read-model';

/** Of one account, or of every account. */
export class ListNftTransfersQuery extends Query<Page<NftTransferRecord>> {
  constructor(readonly payload: PayloadOf<typeof ListAllNftTransfers>) {
    super();
  }
}

@QueryHandler(ListNftTransfersQuery)
export class ListNftTransfersHandler implements IQueryHandler<ListNftTransfersQuery> {
  constructor(private readonly readModel: NftTransferReadModel) {}

  execute({ payload: { accountId, filters, page } }: ListNftTransfersQuery): Promise<Page<NftTransferRecord>> {
    return this.readModel.page(accountId, filters, page);
  }
}

/** Null when there is no such transfer, or when it is not the account's; an account of null is any. */
export class GetNftTransferQuery extends Query<NftTransferRecord | null> {
  constructor(
    readonly accountId: string | null,
    readonly transferId: string,
  ) {
    super();
  }
}

@QueryHandler(GetNftTransferQuery)
export class GetNftTransferHandler implements IQueryHandler<GetNftTransferQuery> {
  constructor(private readonly transfers: NftTransfers) {}

  async execute({ accountId, transferId }: GetNftTransferQuery): Promise<NftTransferRecord | null> {
    const record = nftTransferRecord(await this.transfers.load(transferId));
    return accountId === null || record?.accountId === accountId ? record : null;
  }
}
