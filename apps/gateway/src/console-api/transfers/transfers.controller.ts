import { Get, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TransferRecord } from '@ponte/contracts';
import { GetAnyTransfer, ListAllTransfers } from '@ponte/contracts';
import { isUuid } from '@ponte/kernel';
import type { AccountRequest } from '../../edge/request-context';
import { Services } from '../../edge/services';
import { notFound } from '../../errors/api-error';
import { described, Operation, Resource } from '../../openapi/operation';
import { Pagination } from '../../pagination/pagination';
import { staffOperation } from '../../staff/operation';
import { transferDto, transferFilters } from '../../api/transfers/transfer.mapper';
import type { StaffTransferDto } from './transfer.dto';
import {
  STAFF_TRANSFER_EXAMPLE,
  StaffTransferEnvelopeDto,
  StaffTransfersDto,
  StaffTransfersQuery,
} from './transfer.dto';

/** Token transfers of every account. */
@Resource('staff/v1/transfers', 'transfers')
export class StaffTransfersController {
  constructor(
    private readonly services: Services,
    private readonly pagination: Pagination,
  ) {}

  @Operation(
    staffOperation('staff-list-transfers', {
      summary: 'Token transfers of every account, newest first',
      query: StaffTransfersQuery,
      paged: true,
      answer: described(StaffTransfersDto, { transfers: [STAFF_TRANSFER_EXAMPLE] }),
    }),
  )
  @Get()
  async list(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StaffTransfersDto> {
    const query = request.query as StaffTransfersQuery;
    const asked = {
      accountId: query['account-id'] ?? null,
      filters: transferFilters(query),
      page: this.pagination.page(request),
    };
    const page = await this.services.request(ListAllTransfers, asked, request.call);
    return { transfers: this.pagination.items(page, request, reply).map(shown) };
  }

  @Operation(
    staffOperation('staff-get-transfer', {
      summary: 'One token transfer',
      answer: described(StaffTransferEnvelopeDto, { transfer: STAFF_TRANSFER_EXAMPLE }),
      errors: ['transfer-not-found'],
    }),
  )
  @Get(':id')
  async get(@Req() { call, params }: AccountRequest): Promise<StaffTransferEnvelopeDto> {
    const transferId = params['id'];
    const record = isUuid(transferId) ? await this.services.request(GetAnyTransfer, { transferId }, call) : null;
    if (!record) throw notFound('transfer-not-found');
    return { transfer: shown(record) };
  }
}

const shown = (record: TransferRecord): StaffTransferDto => ({
  ...transferDto(record),
  'account-id': record.accountId,
});
