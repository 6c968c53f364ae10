import { Get, Inject, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CreateWithdrawal, GetWithdrawal, ListWithdrawals } from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import type { AssetId } from '@ponte/kernel';
import { isUuid } from '@ponte/kernel';
import { PERSONAL_DATA } from '@ponte/nest';
import type { AccountRequest } from '../../edge/request-context';
import { Services } from '../../edge/services';
import { notFound } from '../../errors/api-error';
import { Pagination } from '../../pagination/pagination';
import { Operation, Resource } from '../../openapi/operation';
import type {
  WithdrawalDto,
  WithdrawalEnvelopeDto,
  WithdrawalRequestDto,
  WithdrawalsDto,
  WithdrawalsQuery,
} from './withdrawal.dto';
import { createPayload, withdrawalDto, withdrawalFilters } from './withdrawal.mapper';
import { AssetWithdrawalsQuery } from './withdrawal.dto';
import {
  CREATING_ASSET_WITHDRAWAL,
  CREATING_WITHDRAWAL,
  LISTING_WITHDRAWALS,
  READING_WITHDRAWAL,
} from './withdrawals.operations';

const V1 = '/api/v1/accounts/:accountId/withdrawals';

/** Withdrawals in both versions, and the path by asset of v0, which knows BRL only. */
@Resource('api', 'withdrawals')
export class WithdrawalsController {
  constructor(
    private readonly services: Services,
    private readonly pagination: Pagination,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
  ) {}

  @Operation({
    ...CREATING_WITHDRAWAL,
    id: 'create-withdrawal',
    summary: 'Pay out to a Pix key, a bank account or a wallet',
    reach: 'account',
  })
  @Post('v1/accounts/:accountId/withdrawals')
  create(@Req() { call, body }: FastifyRequest): Promise<WithdrawalEnvelopeDto> {
    const request = body as WithdrawalRequestDto;
    return this.createOf(request, request.asset, call);
  }

  @Operation({ ...LISTING_WITHDRAWALS, id: 'list-withdrawals', summary: 'Withdrawals of an account', reach: 'account' })
  @Get('v1/accounts/:accountId/withdrawals')
  list(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<WithdrawalsDto> {
    return this.listOf(request, reply);
  }

  @Operation({ ...READING_WITHDRAWAL, id: 'get-withdrawal', summary: 'One withdrawal of an account', reach: 'account' })
  @Get('v1/accounts/:accountId/withdrawals/:id')
  async get(@Req() { call, params }: AccountRequest): Promise<WithdrawalDto> {
    const withdrawalId = params['id'];
    const record = isUuid(withdrawalId)
      ? await this.services.request(GetWithdrawal, { accountId: call.accountId, withdrawalId }, call)
      : null;
    if (!record) throw notFound('withdrawal-not-found');
    return withdrawalDto(record, this.personalData);
  }

  @Operation({
    ...CREATING_WITHDRAWAL,
    id: 'create-withdrawal-v0',
    summary: "Pay out from the key's own account",
    reach: 'own',
    successor: V1,
  })
  @Post('v0/withdrawals')
  createV0(@Req() request: FastifyRequest): Promise<WithdrawalEnvelopeDto> {
    return this.create(request);
  }

  @Operation({
    ...LISTING_WITHDRAWALS,
    id: 'list-withdrawals-v0',
    summary: "Withdrawals of the key's own account",
    reach: 'own',
    successor: V1,
  })
  @Get('v0/withdrawals')
  listV0(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<WithdrawalsDto> {
    return this.listOf(request, reply);
  }

  @Operation({
    ...READING_WITHDRAWAL,
    id: 'get-withdrawal-v0',
    summary: "One withdrawal of the key's own account",
    reach: 'own',
    successor: `${V1}/:id`,
  })
  @Get('v0/withdrawals/:id')
  getV0(@Req() request: AccountRequest): Promise<WithdrawalDto> {
    return this.get(request);
  }

  @Operation({
    ...CREATING_ASSET_WITHDRAWAL,
    id: 'create-asset-withdrawal-v0',
    summary: "Pay out BRL from the key's own account",
    reach: 'own',
    successor: V1,
  })
  @Post('v0/assets/:asset/withdrawals')
  createAssetV0(@Req() request: AccountRequest): Promise<WithdrawalEnvelopeDto> {
    return this.createOf(request.body as WithdrawalRequestDto, pathAsset(request), request.call);
  }

  @Operation({
    ...LISTING_WITHDRAWALS,
    query: AssetWithdrawalsQuery,
    id: 'list-asset-withdrawals-v0',
    summary: "BRL withdrawals of the key's own account",
    reach: 'own',
    successor: V1,
    errors: ['route-not-found'],
  })
  @Get('v0/assets/:asset/withdrawals')
  listAssetV0(
    @Req() request: AccountRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<WithdrawalsDto> {
    return this.listOf(request, reply, pathAsset(request));
  }

  @Operation({
    ...READING_WITHDRAWAL,
    id: 'get-asset-withdrawal-v0',
    summary: "One BRL withdrawal of the key's own account",
    reach: 'own',
    successor: `${V1}/:id`,
    errors: ['withdrawal-not-found', 'route-not-found'],
  })
  @Get('v0/assets/:asset/withdrawals/:id')
  async getAssetV0(@Req() request: AccountRequest): Promise<WithdrawalDto> {
    const asset = pathAsset(request);
    const found = await this.get(request);
    if (found.asset !== asset) throw notFound('withdrawal-not-found');
    return found;
  }

  private async createOf(
    body: WithdrawalRequestDto,
    asset: AssetId,
    call: FastifyRequest['call'],
  ): Promise<WithdrawalEnvelopeDto> {
    const record = await this.services.request(
      CreateWithdrawal,
      await createPayload(body, asset, call, this.personalData),
      call,
    );
    return { withdrawal: await withdrawalDto(record, this.personalData) };
  }

  private async listOf(request: FastifyRequest, reply: FastifyReply, asset?: AssetId): Promise<WithdrawalsDto> {
    const { call } = request;
    const page = await this.services.request(
      ListWithdrawals,
      {
        accountId: call.accountId,
        filters: withdrawalFilters(request.query as WithdrawalsQuery, asset),
        page: this.pagination.page(request),
      },
      call,
    );
    const items = this.pagination.items(page, request, reply);
    return { withdrawals: await Promise.all(items.map((record) => withdrawalDto(record, this.personalData))) };
  }
}

/** The path by asset exists for BRL only. */
function pathAsset({ params }: AccountRequest): AssetId {
  if (params['asset'] !== 'brl') throw notFound('route-not-found');
  return 'fiat/brl';
}
