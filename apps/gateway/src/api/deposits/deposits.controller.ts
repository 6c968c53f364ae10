import { Get, Req } from '@nestjs/common';
import { GetAccount, GetDeposit, GetFundingCode, ListDeposits } from '@ponte/contracts';
import type { AccountRequest } from '../../edge/request-context.service';
import { Services } from '../../edge/request-context.service';
import { ShownPersonalData } from '../../personal-data/shown-personal-data.service';
import { ApiError, found, notFound } from '../../errors/api-error';
import type { ListRequest } from '../../pagination/list-request';
import { Listed } from '../../pagination/pagination.pipe';
import { described } from '../../openapi/operation-spec';
import { Operation, Resource } from '../../openapi/operation';
import { QrCodes } from '../../qr/qr-codes';
import { pathAssets } from '../assets';
import { DEPOSIT_EXAMPLE, DepositEnvelopeDto, DepositsDto, DepositsQuery, FundingCodeDto } from './deposit.dto';
import { uuidIn } from '../path';
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
    private readonly qrCodes: QrCodes,
    private readonly personalData: ShownPersonalData,
  ) {}

  @Operation({
    ...LISTING,
    id: 'list-deposits',
    summary: 'List the deposits of an account in an asset',
    reach: 'account',
    v0: { path: 'v0/assets/:asset/deposits', summary: "List the deposits of the key's own account in an asset" },
  })
  @Get(V1)
  async list(@Listed() list: ListRequest<DepositsQuery>): Promise<DepositsDto> {
    const filters = depositFilters(list.query, pathAssets(list.request));
    const deposits = await list.find(ListDeposits, { accountId: list.call.accountId, filters });
    return { deposits: await Promise.all(deposits.map((deposit) => depositDto(deposit, this.personalData))) };
  }

  @Operation({
    id: 'get-funding-code',
    summary: 'Get the static Pix code that funds an account',
    reach: 'account',
    answer: described(FundingCodeDto),
    errors: ['account-not-active', 'rail-unavailable'],
  })
  @Get('v1/accounts/:accountId/deposits/pix')
  async fundingCode(@Req() { call }: AccountRequest): Promise<FundingCodeDto> {
    // A payment to an account that is not open yet would have to be returned.
    if (!(await this.services.request(GetAccount, { accountId: call.accountId }, call)))
      throw new ApiError('account-not-active');
    const { brcode } = await this.services.request(GetFundingCode, { accountId: call.accountId }, call);
    return { asset: 'brl', type: 'pix', brcode, 'qr-code-base64': this.qrCodes.pngBase64(brcode) };
  }

  @Operation({
    id: 'get-deposit',
    summary: 'Get a deposit of an account',
    reach: 'account',
    v0: { path: 'v0/assets/:asset/deposits/:id', summary: "Get a deposit of the key's own account" },
    answer: described(DepositEnvelopeDto, { deposit: DEPOSIT_EXAMPLE }),
    errors: ['deposit-not-found', 'route-not-found'],
  })
  @Get(`${V1}/:id`)
  async get(@Req() request: AccountRequest): Promise<DepositEnvelopeDto> {
    const { call, params } = request;
    const assets = pathAssets(request);
    const wanted = { accountId: call.accountId, depositId: uuidIn(params, 'deposit-not-found') };
    const deposit = found(await this.services.request(GetDeposit, wanted, call), 'deposit-not-found');
    if (!assets.includes(deposit.asset)) throw notFound('deposit-not-found');
    return { deposit: await depositDto(deposit, this.personalData) };
  }
}
