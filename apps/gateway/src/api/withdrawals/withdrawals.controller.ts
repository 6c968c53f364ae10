import { Get, Inject, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { CreateWithdrawal, GetWithdrawal, ListWithdrawals } from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import type { AssetId } from '@ponte/kernel';
import { PERSONAL_DATA } from '@ponte/nest';
import type { AccountRequest } from '../../edge/request-context.service';
import { Services } from '../../edge/request-context.service';
import { ShownPersonalData } from '../../personal-data/shown-personal-data.service';
import { ApiError, found, notFound } from '../../errors/api-error';
import type { ListRequest } from '../../pagination/list-request';
import { Listed } from '../../pagination/pagination.pipe';
import { Operation, Resource } from '../../openapi/operation';
import type { WithdrawalDto, WithdrawalEnvelopeDto, WithdrawalsDto, WithdrawalsQuery } from './withdrawal.dto';
import type { WithdrawalRequestDto } from './withdrawal-request.dto';
import { createPayload, withdrawalDto, withdrawalFilters } from './withdrawal.mapper';
import { AssetWithdrawalsQuery } from './withdrawal.dto';
import { PathId, uuidIn } from '../path';
import {
  CREATING_ASSET_WITHDRAWAL,
  CREATING_WITHDRAWAL,
  LISTING_WITHDRAWALS,
  READING_WITHDRAWAL,
} from './withdrawals.operations';

const BRL_ONLY =
  'Only BRL is withdrawn at this path, /api/v0/assets/brl/withdrawals. Withdraw any asset at /api/v0/withdrawals.';
const V1 = '/api/v1/accounts/:accountId/withdrawals';

/** Withdrawals. v0 acts on the account of the API key, v1 on the account in the path. v0 also has a path by asset. */
@Resource('api', 'withdrawals')
export class WithdrawalsController {
  constructor(
    private readonly services: Services,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
    private readonly shownPersonalData: ShownPersonalData,
  ) {}

  @Operation({
    ...CREATING_WITHDRAWAL,
    id: 'create-withdrawal',
    summary: 'Withdraw to a Pix key, a bank account or an address on a chain',
    reach: 'account',
    v0: { path: 'v0/withdrawals', summary: "Withdraw from the key's own account" },
  })
  @Post('v1/accounts/:accountId/withdrawals')
  create(@Req() { call, body }: FastifyRequest): Promise<WithdrawalEnvelopeDto> {
    const request = body as WithdrawalRequestDto;
    return this.createOf(request, request.asset, call);
  }

  @Operation({
    ...LISTING_WITHDRAWALS,
    id: 'list-withdrawals',
    summary: 'List the withdrawals of an account',
    reach: 'account',
    v0: { path: 'v0/withdrawals', summary: "List the withdrawals of the key's own account" },
  })
  @Get('v1/accounts/:accountId/withdrawals')
  list(@Listed() list: ListRequest<WithdrawalsQuery>): Promise<WithdrawalsDto> {
    return this.listOf(list);
  }

  @Operation({
    ...READING_WITHDRAWAL,
    id: 'get-withdrawal',
    summary: 'Get a withdrawal of an account',
    reach: 'account',
    v0: { path: 'v0/withdrawals/:id', summary: "Get a withdrawal of the key's own account" },
  })
  @Get('v1/accounts/:accountId/withdrawals/:id')
  async get(
    @PathId('withdrawal-not-found') withdrawalId: string,
    @Req() { call }: FastifyRequest,
  ): Promise<WithdrawalDto> {
    const record = await this.services.request(GetWithdrawal, { accountId: call.accountId, withdrawalId }, call);
    return withdrawalDto(found(record, 'withdrawal-not-found'), this.shownPersonalData);
  }

  @Operation({
    ...CREATING_ASSET_WITHDRAWAL,
    id: 'create-asset-withdrawal-v0',
    summary: "Withdraw BRL from the key's own account",
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
    summary: "List the BRL withdrawals of the key's own account",
    reach: 'own',
    successor: V1,
    errors: ['route-not-found'],
  })
  @Get('v0/assets/:asset/withdrawals')
  listAssetV0(@Listed() list: ListRequest<WithdrawalsQuery>): Promise<WithdrawalsDto> {
    return this.listOf(list, pathAsset(list.request));
  }

  @Operation({
    ...READING_WITHDRAWAL,
    id: 'get-asset-withdrawal-v0',
    summary: "Get a BRL withdrawal of the key's own account",
    reach: 'own',
    successor: `${V1}/:id`,
    errors: ['withdrawal-not-found', 'route-not-found'],
  })
  @Get('v0/assets/:asset/withdrawals/:id')
  async getAssetV0(@Req() request: AccountRequest): Promise<WithdrawalDto> {
    const asset = pathAsset(request);
    const withdrawal = await this.get(uuidIn(request.params, 'withdrawal-not-found'), request as FastifyRequest);
    if (withdrawal.asset !== asset) throw notFound('withdrawal-not-found');
    return withdrawal;
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
    return { withdrawal: await withdrawalDto(record, this.shownPersonalData) };
  }

  private async listOf(list: ListRequest<WithdrawalsQuery>, asset?: AssetId): Promise<WithdrawalsDto> {
    const { accountId } = list.call;
    const records = await list.find(ListWithdrawals, { accountId, filters: withdrawalFilters(list.query, asset) });
    return { withdrawals: await Promise.all(records.map((record) => withdrawalDto(record, this.shownPersonalData))) };
  }
}

/** The asset of the path. The route exists for BRL only. */
function pathAsset({ params }: AccountRequest): AssetId {
  if (params['asset'] !== 'brl') throw new ApiError('route-not-found', { message: BRL_ONLY });
  return 'fiat/brl';
}
