import { Get, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { CreateTransfer, GetTransfer, ListTransfers } from '@ponte/contracts';
import { Services } from '../../edge/request-context.service';
import { found } from '../../errors/api-error';
import type { ListRequest } from '../../pagination/list-request';
import { Listed } from '../../pagination/pagination.pipe';
import type { OperationSpec } from '../../openapi/operation-spec';
import { described } from '../../openapi/operation-spec';
import { Operation, Resource } from '../../openapi/operation';
import { CreateTransferDto, TRANSFER_EXAMPLE, TransferEnvelopeDto, TransfersDto, TransfersQuery } from './transfer.dto';
import { PathId } from '../path';
import { createTransferPayload, transferDto, transferFilters } from './transfer.mapper';
import { exampleOf } from '../../validation/fields';

const one = described(TransferEnvelopeDto, { transfer: TRANSFER_EXAMPLE });
const CREATING: Pick<OperationSpec, 'operation' | 'shedPriority' | 'whileFrozen' | 'body' | 'answer' | 'errors'> = {
  operation: 'create-transfer',
  shedPriority: 'last',
  whileFrozen: 'service',
  body: described(CreateTransferDto, exampleOf(CreateTransferDto, { 'external-id': 'payout-17' })),
  answer: one,
  errors: [
    'asset-not-supported',
    'invalid-address',
    'bad-address-checksum',
    'same-source-and-target',
    'source-wallet-not-owned',
    'amount-scale-exceeded',
    'amount-below-minimum',
    'amount-above-maximum',
    'insufficient-balance',
    'limit-exceeded',
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

/** Token transfers. v0 acts on the account of the API key, v1 on the account in the path. */
@Resource('api', 'transfers')
export class TransfersController {
  constructor(private readonly services: Services) {}

  @Operation({
    ...CREATING,
    id: 'create-transfer',
    summary: 'Transfer tokens from a wallet of the account',
    reach: 'account',
    v0: { path: 'v0/transfers', summary: "Transfer tokens from a wallet of the key's own account" },
  })
  @Post(V1)
  async create(@Req() { call, body }: FastifyRequest): Promise<TransferEnvelopeDto> {
    const payload = createTransferPayload(body as CreateTransferDto, call);
    return { transfer: transferDto(await this.services.request(CreateTransfer, payload, call)) };
  }

  @Operation({
    ...LISTING,
    id: 'list-transfers',
    summary: 'List the token transfers of an account',
    reach: 'account',
    v0: { path: 'v0/transfers', summary: "List the token transfers of the key's own account" },
  })
  @Get(V1)
  async list(@Listed() list: ListRequest<TransfersQuery>): Promise<TransfersDto> {
    const { accountId } = list.call;
    const transfers = await list.find(ListTransfers, { accountId, filters: transferFilters(list.query) });
    return { transfers: transfers.map(transferDto) };
  }

  @Operation({
    ...READING,
    id: 'get-transfer',
    summary: 'Get a token transfer of an account',
    reach: 'account',
    v0: { path: 'v0/transfers/:id', summary: "Get a token transfer of the key's own account" },
  })
  @Get(`${V1}/:id`)
  async get(
    @PathId('transfer-not-found') transferId: string,
    @Req() { call }: FastifyRequest,
  ): Promise<TransferEnvelopeDto> {
    const transfer = await this.services.request(GetTransfer, { accountId: call.accountId, transferId }, call);
    return { transfer: transferDto(found(transfer, 'transfer-not-found')) };
  }
}
