import { Get, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CreateNftTransfer, GetNftTransfer, ListNftTransfers } from '@ponte/contracts';
import { isUuid } from '@ponte/kernel';
import type { AccountRequest } from '../../edge/request-context';
import { Services } from '../../edge/services';
import { notFound } from '../../errors/api-error';
import { Pagination } from '../../pagination/pagination';
import type { OperationSpec } from '../../openapi/operation';
import { described, Operation, Resource } from '../../openapi/operation';
import {
  CREATE_NFT_TRANSFER_EXAMPLE,
  CreateNftTransferDto,
  NFT_TRANSFER_EXAMPLE,
  NftTransferEnvelopeDto,
  NftTransfersDto,
  NftTransfersQuery,
} from './nft-transfer.dto';
import { createNftTransferPayload, nftTransferDto, nftTransferFilters } from './nft-transfer.mapper';

const one = described(NftTransferEnvelopeDto, { transfer: NFT_TRANSFER_EXAMPLE });
const CREATING: Pick<OperationSpec, 'operation' | 'shedPriority' | 'body' | 'answer' | 'errors'> = {
  operation: 'create-nft-transfer',
  shedPriority: 'last',
  body: described(CreateNftTransferDto, CREATE_NFT_TRANSFER_EXAMPLE),
  answer: one,
  errors: [
    'invalid-address',
    'bad-address-checksum',
    'same-source-and-target',
    'source-wallet-not-owned',
    'certificate-not-owned',
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

/** Transfers of reward certificates in both versions: v0 acts on the key's own account, v1 on the one of the path. */
@Resource('api', 'transfers')
export class NftTransfersController {
  constructor(
    private readonly services: Services,
    private readonly pagination: Pagination,
  ) {}

  @Operation({
    ...CREATING,
    id: 'create-nft-transfer',
    summary: 'Move a reward certificate from a wallet of the account',
    reach: 'account',
  })
  @Post(V1)
  async create(@Req() { call, body }: FastifyRequest): Promise<NftTransferEnvelopeDto> {
    const payload = createNftTransferPayload(body as CreateNftTransferDto, call);
    return { transfer: nftTransferDto(await this.services.request(CreateNftTransfer, payload, call)) };
  }

  @Operation({ ...LISTING, id: 'list-nft-transfers', summary: 'NFT transfers of an account', reach: 'account' })
  @Get(V1)
  async list(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<NftTransfersDto> {
    const { accountId } = request.call;
    const asked = {
      accountId,
      filters: nftTransferFilters(request.query as NftTransfersQuery),
      page: this.pagination.page(request),
    };
    const page = await this.services.request(ListNftTransfers, asked, request.call);
    return { transfers: this.pagination.items(page, request, reply).map(nftTransferDto) };
  }

  @Operation({ ...READING, id: 'get-nft-transfer', summary: 'One NFT transfer of an account', reach: 'account' })
  @Get(`${V1}/:id`)
  async get(@Req() { call, params }: AccountRequest): Promise<NftTransferEnvelopeDto> {
    const transferId = params['id'];
    const { accountId } = call;
    const transfer = isUuid(transferId)
      ? await this.services.request(GetNftTransfer, { accountId, transferId }, call)
      : null;
    if (!transfer) throw notFound('transfer-not-found');
    return { transfer: nftTransferDto(transfer) };
  }

  @Operation({
    ...CREATING,
    id: 'create-nft-transfer-v0',
    summary: "Move a reward certificate from a wallet of the key's own account",
    reach: 'own',
    successor: `/api/${V1}`,
  })
  @Post('v0/nft-transfers')
  createV0(@Req() request: FastifyRequest): Promise<NftTransferEnvelopeDto> {
    return this.create(request);
  }

  @Operation({
    ...LISTING,
    id: 'list-nft-transfers-v0',
    summary: "NFT transfers of the key's own account",
    reach: 'own',
    successor: `/api/${V1}`,
  })
  @Get('v0/nft-transfers')
  listV0(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<NftTransfersDto> {
    return this.list(request, reply);
  }

  @Operation({
    ...READING,
    id: 'get-nft-transfer-v0',
    summary: "One NFT transfer of the key's own account",
    reach: 'own',
    successor: `/api/${V1}/:id`,
  })
  @Get('v0/nft-transfers/:id')
  getV0(@Req() request: AccountRequest): Promise<NftTransferEnvelopeDto> {
    return this.get(request);
  }
}
