import type { IQueryHandler } from '@nestjs/cqrs';
import { QueryHandler } from '@nestjs/cqrs';
import type { TransferRecord } from '@ponte/contracts';
import { PayloadQuery } from '@ponte/nest';
import { transferRecord } from './transfer.decider';
import { Transfers } from './transfer.repository';

/** Null when there is no such transfer, or when it is not the account's; an account of null is any. */
export class GetTransferQuery extends PayloadQuery<
  { readonly accountId: string | null; readonly transferId: string },
  TransferRecord | null
> {}

@QueryHandler(GetTransferQuery)
export class GetTransferHandler implements IQueryHandler<GetTransferQuery> {
  constructor(private readonly transfers: Transfers) {}

  async execute({ payload: { accountId, transferId } }: GetTransferQuery): Promise<TransferRecord | null> {
    const record = transferRecord(await this.transfers.load(transferId));
    return accountId === null || record?.accountId === accountId ? record : null;
  }
}
