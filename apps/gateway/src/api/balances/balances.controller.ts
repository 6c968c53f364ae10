import { Get, Req } from '@nestjs/common';
import { GetBalance } from '@ponte/contracts';
import type { AccountRequest } from '../../edge/request-context.service';
import { Services } from '../../edge/request-context.service';
import { described } from '../../openapi/operation-spec';
import { Operation, Resource } from '../../openapi/operation';
import { pathAssets } from '../assets';
import { balanceDto, BalanceEnvelopeDto } from './balance.dto';

const BALANCE = {
  operation: 'get-balance',
  answer: described(BalanceEnvelopeDto),
  errors: ['route-not-found'] as const,
};

@Resource('api', 'balances')
export class BalancesController {
  constructor(private readonly services: Services) {}

  @Operation({
    ...BALANCE,
    id: 'get-balance',
    summary: "Get an account's balance of an asset",
    reach: 'account',
    v0: { path: 'v0/assets/:asset/balance', summary: "Get the balance of the key's own account in an asset" },
  })
  @Get('v1/accounts/:accountId/assets/:asset/balance')
  async get(@Req() request: AccountRequest): Promise<BalanceEnvelopeDto> {
    const { call } = request;
    const wanted = { accountId: call.accountId, assets: pathAssets(request) };
    return { balance: balanceDto(await this.services.request(GetBalance, wanted, call)) };
  }
}
