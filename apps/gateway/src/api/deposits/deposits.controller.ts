import { Get, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { GetAccount, GetDeposit, GetFundingCode, ListDeposits } from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import { isUuid } from '@ponte/kernel';
import { PERSONAL_DATA } from '@ponte/nest';
import type { AccountRequest } from '../../edge/request-context';
import { Services } from '../../edge/services';
import { ApiError, notFound } from '../../errors/api-error';
import { Pagination } from '../../pagination/pagination';
import { described, Operation, Resource } from '../../openapi/operation';
import { QrCodes } from '../../qr/qr-codes';
import { pathAssets } from '../assets';
import {
  DEPOSIT_EXAMPLE,
  DepositEnvelopeDto,
  DepositsDto,
  DepositsQuery,
  FundingCodeDto,
  FUNDING_EXAMPLE,
} from './deposit.dto';
import { depositDto, depositFilters } from './deposit.mapper';

const LISTING = {
  operation: 'list-deposits',
  query: DepositsQuery,
  answer: described(DepositsDto, { deposits: [DEPOSIT_EXAMPLE] }),
  paged: true,
  errors: ['route-not-found'] as const,
};
const V1 = 'v1/accounts/:accountId/assets/:asset/deposits';

@Resource('api', 'deposits')
export class DepositsController {
  constructor(
    private readonly services: Services,
    private readonly pagination: Pagination,
    private readonly qrCodes: QrCodes,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
  ) {}

  @Operation({ ...LISTING, id: 'list-deposits', summary: 'Deposits of an account in an asset', reach: 'account' })
  @Get(V1)
  async list(@Req() request: AccountRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<DepositsDto> {
    const { call } = request;
    const query = request.query as DepositsQuery;
    const wanted = {
      accountId: call.accountId,
      filters: depositFilters(query, pathAssets(request)),
      page: this.pagination.page(request),
    };
    const page = await this.services.request(ListDeposits, wanted, call);
    const items = this.pagination.items(page, request, reply);
    return { deposits: await Promise.all(items.map((deposit) => depositDto(deposit, this.personalData))) };
  }

  @Operation({
    id: 'get-funding-code',
    summary: 'The static Pix code that funds an account',
    reach: 'account',
    answer: described(FundingCodeDto, FUNDING_EXAMPLE),
    errors: ['account-not-active', 'rail-unavailable'],
  })
  @Get('v1/accounts/:accountId/deposits/pix')
  async fundingCode(@Req() { call }: AccountRequest): Promise<FundingCodeDto> {
    // Money that is paid to an account before it is open would have to be returned.
    if (!(await this.services.request(GetAccount, { accountId: call.accountId }, call)))
      throw new ApiError('account-not-active');
    const { brcode } = await this.services.request(GetFundingCode, { accountId: call.accountId }, call);
    return { asset: 'brl', type: 'pix', brcode, 'qr-code-base64': this.qrCodes.pngBase64(brcode) };
  }

  @Operation({
    id: 'get-deposit',
    summary: 'One deposit of an account',
    reach: 'account',
    answer: described(DepositEnvelopeDto, { deposit: DEPOSIT_EXAMPLE }),
    errors: ['deposit-not-found', 'route-not-found'],
  })
  @Get(`${V1}/:id`)
  async get(@Req() request: AccountRequest): Promise<DepositEnvelopeDto> {
    const { call, params } = request;
    const assets = pathAssets(request);
    const depositId = params['id'];
    const deposit = isUuid(depositId)
      ? await this.services.request(GetDeposit, { accountId: call.accountId, depositId }, call)
      : null;
    if (!deposit || !assets.includes(deposit.asset)) throw notFound('deposit-not-found');
    return { deposit: await depositDto(deposit, this.personalData) };
  }

  @Operation({
    ...LISTING,
    id: 'list-deposits-v0',
    summary: "Deposits of the key's own account in an asset",
    reach: 'own',
    successor: `/api/${V1}`,
  })
  @Get('v0/assets/:asset/deposits')
  listV0(@Req() request: AccountRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<DepositsDto> {
    return this.list(request, reply);
  }

  @Operation({
    id: 'get-deposit-v0',
    summary: "One deposit of the key's own account",
    reach: 'own',
    successor: `/api/${V1}/:id`,
    answer: described(DepositEnvelopeDto, { deposit: DEPOSIT_EXAMPLE }),
    errors: ['deposit-not-found', 'route-not-found'],
  })
  @Get('v0/assets/:asset/deposits/:id')
  getV0(@Req() request: AccountRequest): Promise<DepositEnvelopeDto> {
    return this.get(request);
  }
}
