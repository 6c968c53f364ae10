import { Get, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { TransferRecord } from '@ponte/contracts';
import { GetAnyTransfer, ListAllTransfers } from '@ponte/contracts';
import { Services } from '../../edge/request-context.service';
import { found } from '../../errors/api-error';
import { described } from '../../openapi/operation-spec';
import { Resource } from '../../openapi/operation';
import type { ListRequest } from '../../pagination/list-request';
import { Listed } from '../../pagination/pagination.pipe';
import { StaffOperation } from '../../staff/operation';
import { transferDto, transferFilters } from '../../api/transfers/transfer.mapper';
import type { StaffTransferDto } from './transfer.dto';
import { PathId } from '../../api/path';
import {
  STAFF_TRANSFER_EXAMPLE,
  StaffTransferEnvelopeDto,
  StaffTransfersDto,
  StaffTransfersQuery,
} from './transfer.dto';

/** Token transfers of all accounts. */
@Resource('staff/v1/transfers', 'transfers')
export class StaffTransfersController {
  constructor(private readonly services: Services) {}

  @StaffOperation('staff-list-transfers', {
    summary: 'List the token transfers of every account',
    query: StaffTransfersQuery,
    paged: true,
    answer: described(StaffTransfersDto, { transfers: [STAFF_TRANSFER_EXAMPLE] }),
  })
  @Get()
  async list(@Listed() list: ListRequest<StaffTransfersQuery>): Promise<StaffTransfersDto> {
    const accountId = list.query['account-id'] ?? null;
    const transfers = await list.find(ListAllTransfers, { accountId, filters: transferFilters(list.query) });
    return { transfers: transfers.map(shown) };
  }

  @StaffOperation('staff-get-transfer', {
    summary: 'Show one token transfer',
    answer: described(StaffTransferEnvelopeDto, { transfer: STAFF_TRANSFER_EXAMPLE }),
    errors: ['transfer-not-found'],
  })
  @Get(':id')
  async get(
    @PathId('transfer-not-found') transferId: string,
    @Req() { call }: FastifyRequest,
  ): Promise<StaffTransferEnvelopeDto> {
    const record = await this.services.request(GetAnyTransfer, { transferId }, call);
    return { transfer: shown(found(record, 'transfer-not-found')) };
  }
}

const shown = (record: TransferRecord): StaffTransferDto => ({
  ...transferDto(record),
  'account-id': record.accountId,
});
