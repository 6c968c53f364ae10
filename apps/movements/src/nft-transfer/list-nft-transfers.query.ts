import type { IQueryHandler } from '@nestjs/cqrs';
import { QueryHandler } from '@nestjs/cqrs';
import type { ListAllNftTransfers, NftTransferRecord, Page } from '@ponte/contracts';
import type { PayloadOf } from '@ponte/event-sourcing';
import { PayloadQuery } from '@ponte/nest';
import { nftTransferRecord } from './nft-transfer.decider';
import { NftTransfers } from './nft-transfer.repository';
import { NftTransferReadModel } from './nft-transfers.read-model';

/** Of one account, or of every account. */
export class ListNftTransfersQuery extends PayloadQuery<
  PayloadOf<typeof ListAllNftTransfers>,
  Page<NftTransferRecord>
> {}

@QueryHandler(ListNftTransfersQuery)
export class ListNftTransfersHandler implements IQueryHandler<ListNftTransfersQuery> {
  constructor(private readonly readModel: NftTransferReadModel) {}

  execute({ payload: { accountId, filters, page } }: ListNftTransfersQuery): Promise<Page<NftTransferRecord>> {
    return this.readModel.page(accountId, filters, page);
  }
}

/** Null when there is no such transfer, or when it is not the account's; an account of null is any. */
export class GetNftTransferQuery extends PayloadQuery<
  { readonly accountId: string | null; readonly transferId: string },
  NftTransferRecord | null
> {}

@QueryHandler(GetNftTransferQuery)
export class GetNftTransferHandler implements IQueryHandler<GetNftTransferQuery> {
  constructor(private readonly transfers: NftTransfers) {}

  async execute({ payload: { accountId, transferId } }: GetNftTransferQuery): Promise<NftTransferRecord | null> {
    const record = nftTransferRecord(await this.transfers.load(transferId));
    return accountId === null || record?.accountId === accountId ? record : null;
  }
}
