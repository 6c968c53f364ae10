import { Get, Req } from '@nestjs/common';
import { GetBalance } from '@ponte/contracts';
import type { AccountRequest } from '../../edge/request-context';
import { Services } from '../../edge/services';
import { described, Operation, Resource } from '../../openapi/operation';
import { pathAssets } from '../assets';
import { BALANCE_EXAMPLE, balanceDto, BalanceEnvelopeDto } from './balance.dto';

const BALANCE = {
  operation: 'get-balance',
  answer: described(BalanceEnvelopeDto, BALANCE_EXAMPLE),
  errors: ['route-not-found'] as const,
};

@Resource('api', 'balances')
export class BalancesController {
  constructor(private readonly services: Services) {}

  @Operation({ ...BALANCE, id: 'get-balance', summary: "An account's balance of an asset", reach: 'account' })
  @Get('v1/accounts/:accountId/assets/:asset/balance')
  async get(@Req() request: AccountRequest): Promise<BalanceEnvelopeDto> {
    const { call } = request;
    return {
      balance: balanceDto(
        await this.services.request(GetBalance, { accountId: call.accountId, assets: pathAssets(request) }, call),
      ),
    };
  }

  @Operation({
    ...BALANCE,
    id: 'get-balance-v0',
    summary: "The key's own balance of an asset",
    reach: 'own',
    successor: '/api/v1/accounts/:accountId/assets/:asset/balance',
  })
  @Get('v0/assets/:asset/balance')
  getV0(@Req() request: AccountRequest): Promise<BalanceEnvelopeDto> {
    return this.get(request);
  }
}
