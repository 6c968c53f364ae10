import { Get, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { CreateNftTransfer, GetNftTransfer, ListNftTransfers } from '@ponte/contracts';
import { Services } from '../../edge/request-context.service';
import { found } from '../../errors/api-error';
import type { ListRequest } from '../../pagination/list-request';
import { Listed } from '../../pagination/pagination.pipe';
import type { OperationSpec } from '../../openapi/operation-spec';
import { described } from '../../openapi/operation-spec';
import { Operation, Resource } from '../../openapi/operation';
import {
  CreateNftTransferDto,
  NFT_TRANSFER_EXAMPLE,
  NftTransferEnvelopeDto,
  NftTransfersDto,
  NftTransfersQuery,
} from './nft-transfer.dto';
import { PathId } from '../path';
import { createNftTransferPayload, nftTransferDto, nftTransferFilters } from './nft-transfer.mapper';
import { exampleOf } from '../../validation/fields';

const one = described(NftTransferEnvelopeDto, { transfer: NFT_TRANSFER_EXAMPLE });
const CREATING: Pick<OperationSpec, 'operation' | 'shedPriority' | 'whileFrozen' | 'body' | 'answer' | 'errors'> = {
  operation: 'create-nft-transfer',
  shedPriority: 'last',
  whileFrozen: 'service',
  body: described(CreateNftTransferDto, exampleOf(CreateNftTransferDto, { 'external-id': 'gift-17' })),
  answer: one,
  errors: [
    'invalid-address',
    'bad-address-checksum',
    'same-source-and-target',
    'source-wallet-not-owned',
    'certificate-not-owned',
    'limit-exceeded',
    'external-id-already-used',
    'account-not-active',
    'chain-unavailable',
  ],
};
const READING = { operation: 'get-nft-transfer', answer: one, errors: ['transfer-not-found'] as const };
const LISTING = {
  operation: 'list-nft-transfers',
  query: NftTransfersQuery,
  answer: described(NftTransfersDto, { transfers: [NFT_TRANSFER_EXAMPLE] }),
  paged: true,
};
const V1 = 'v1/accounts/:accountId/nft-transfers';

/** Transfers of reward certificates. v0 acts on the account of the API key, v1 on the account in the path. */
@Resource('api', 'transfers')
export class NftTransfersController {
  constructor(private readonly services: Services) {}

  @Operation({
    ...CREATING,
    id: 'create-nft-transfer',
    summary: 'Transfer a reward certificate from a wallet of the account',
    reach: 'account',
    v0: { path: 'v0/nft-transfers', summary: "Transfer a reward certificate from a wallet of the key's own account" },
  })
  @Post(V1)
  async create(@Req() { call, body }: FastifyRequest): Promise<NftTransferEnvelopeDto> {
    const payload = createNftTransferPayload(body as CreateNftTransferDto, call);
    return { transfer: nftTransferDto(await this.services.request(CreateNftTransfer, payload, call)) };
  }

  @Operation({
    ...LISTING,
    id: 'list-nft-transfers',
    summary: 'List the NFT transfers of an account',
    reach: 'account',
    v0: { path: 'v0/nft-transfers', summary: "List the NFT transfers of the key's own account" },
  })
  @Get(V1)
  async list(@Listed() list: ListRequest<NftTransfersQuery>): Promise<NftTransfersDto> {
    const { accountId } = list.call;
    const transfers = await list.find(ListNftTransfers, { accountId, filters: nftTransferFilters(list.query) });
    return { transfers: transfers.map(nftTransferDto) };
  }

  @Operation({
    ...READING,
    id: 'get-nft-transfer',
    summary: 'Get an NFT transfer of an account',
    reach: 'account',
    v0: { path: 'v0/nft-transfers/:id', summary: "Get an NFT transfer of the key's own account" },
  })
  @Get(`${V1}/:id`)
  async get(
    @PathId('transfer-not-found') transferId: string,
    @Req() { call }: FastifyRequest,
  ): Promise<NftTransferEnvelopeDto> {
    const transfer = await this.services.request(GetNftTransfer, { accountId: call.accountId, transferId }, call);
    return { transfer: nftTransferDto(found(transfer, 'transfer-not-found')) };
  }
}
