import { Get, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CreateTransfer, GetTransfer, ListTransfers } from '@ponte/contracts';
import { isUuid } from '@ponte/kernel';
import type { AccountRequest } from '../../edge/request-context';
import { Services } from '../../edge/services';
import { notFound } from '../../errors/api-error';
import { Pagination } from '../../pagination/pagination';
import type { OperationSpec } from '../../openapi/operation';
import { described, Operation, Resource } from '../../openapi/operation';
import {
  CREATE_TRANSFER_EXAMPLE,
  CreateTransferDto,
  TRANSFER_EXAMPLE,
  TransferEnvelopeDto,
  TransfersDto,
  TransfersQuery,
} from './transfer.dto';
import { createTransferPayload, transferDto, transferFilters } from './transfer.mapper';

const one = described(TransferEnvelopeDto, { transfer: TRANSFER_EXAMPLE });
const CREATING: Pick<OperationSpec, 'operation' | 'shedPriority' | 'body' | 'answer' | 'errors'> = {
  operation: 'create-transfer',
  shedPriority: 'last',
  body: described(CreateTransferDto, CREATE_TRANSFER_EXAMPLE),
  answer: one,
  errors: [
    'asset-not-supported',
    'invalid-address',
    'bad-address-checksum',
    'same-source-and-target',
    'source-wallet-not-owned',
    'amount-scale-exceeded',
    'amount-below-minimum',
    'insufficient-balance',
    'external-id-already-used',
    'account-not-active',
    'amount-must-be-string',
  ],
};
const READING = { operation: 'get-transfer', answer: one, errors: ['transfer-not-found'] as const };
const LISTING = {
  operation: 'list-transfers',
  query: TransfersQuery,
  answer: described(TransfersDto, { transfers: [TRANSFER_EXAMPLE] }),
  paged: true,
};
const V1 = 'v1/accounts/:accountId/transfers';

/** Token transfers in both versions: v0 acts on the key's own account, v1 on the one of the path. */
@Resource('api', 'transfers')
export class TransfersController {
  constructor(
    private readonly services: Services,
    private readonly pagination: Pagination,
  ) {}

  @Operation({
    ...CREATING,
    id: 'create-transfer',
    summary: 'Move tokens from a wallet of the account',
    reach: 'account',
  })
  @Post(V1)
  async create(@Req() { call, body }: FastifyRequest): Promise<TransferEnvelopeDto> {
    return {
      transfer: transferDto(
        await this.services.request(CreateTransfer, createTransferPayload(body as CreateTransferDto, call), call),
      ),
    };
  }

  @Operation({ ...LISTING, id: 'list-transfers', summary: 'Token transfers of an account', reach: 'account' })
  @Get(V1)
  async list(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<TransfersDto> {
    const { call } = request;
    const filters = transferFilters(request.query as TransfersQuery);
    const page = await this.services.request(
      ListTransfers,
      { accountId: call.accountId, filters, page: this.pagination.page(request) },
      call,
    );
    return { transfers: this.pagination.items(page, request, reply).map(transferDto) };
  }

  @Operation({ ...READING, id: 'get-transfer', summary: 'One token transfer of an account', reach: 'account' })
  @Get(`${V1}/:id`)
  async get(@Req() { call, params }: AccountRequest): Promise<TransferEnvelopeDto> {
    const transferId = params['id'];
    const transfer = isUuid(transferId)
      ? await this.services.request(GetTransfer, { accountId: call.accountId, transferId }, call)
      : null;
    if (!transfer) throw notFound('transfer-not-found');
    return { transfer: transferDto(transfer) };
  }

  @Operation({
    ...CREATING,
    id: 'create-transfer-v0',
    summary: "Move tokens from a wallet of the key's own account",
    reach: 'own',
    successor: `/api/${V1}`,
  })
  @Post('v0/transfers')
  createV0(@Req() request: FastifyRequest): Promise<TransferEnvelopeDto> {
    return this.create(request);
  }

  @Operation({
    ...LISTING,
    id: 'list-transfers-v0',
    summary: "Token transfers of the key's own account",
    reach: 'own',
    successor: `/api/${V1}`,
  })
  @Get('v0/transfers')
  listV0(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<TransfersDto> {
    return this.list(request, reply);
  }

  @Operation({
    ...READING,
    id: 'get-transfer-v0',
    summary: "One token transfer of the key's own account",
    reach: 'own',
    successor: `/api/${V1}/:id`,
  })
  @Get('v0/transfers/:id')
  getV0(@Req() request: AccountRequest): Promise<TransferEnvelopeDto> {
    return this.get(request);
  }
}
