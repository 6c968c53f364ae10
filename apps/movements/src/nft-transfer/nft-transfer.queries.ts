import type { IQueryHandler } from '@nestjs/cqrs';
import { QueryHandler } from '@nestjs/cqrs';
import type { GetAnyNftTransfer, GetNftTransfer, ListAllNftTransfers, NftTransferRecord, Page } from '@ponte/contracts';
import { RequestQuery } from '@ponte/nest';
import { nftTransferRecord } from './nft-transfer.decider';
import { NftTransfers } from './nft-transfer.repository';
import { NftTransferReadModel } from './nft-transfers.read-model';

/** Lists the transfers of one account or of all accounts. */
export class ListNftTransfersQuery extends RequestQuery<typeof ListAllNftTransfers> {}

@QueryHandler(ListNftTransfersQuery)
export class ListNftTransfersHandler implements IQueryHandler<ListNftTransfersQuery> {
  constructor(private readonly readModel: NftTransferReadModel) {}

  execute({ payload: { accountId, filters, page } }: ListNftTransfersQuery): Promise<Page<NftTransferRecord>> {
    return this.readModel.page(accountId, filters, page);
  }
}

/** Reads one transfer; null when it does not exist or does not belong to the account. */
export class GetNftTransferQuery extends RequestQuery<typeof GetNftTransfer | typeof GetAnyNftTransfer> {}

@QueryHandler(GetNftTransferQuery)
export class GetNftTransferHandler implements IQueryHandler<GetNftTransferQuery> {
  constructor(private readonly transfers: NftTransfers) {}

  async execute({ payload }: GetNftTransferQuery): Promise<NftTransferRecord | null> {
    const record = nftTransferRecord(await this.transfers.load(payload.transferId));
    return 'accountId' in payload && record?.accountId !== payload.accountId ? null : record;
  }
}
