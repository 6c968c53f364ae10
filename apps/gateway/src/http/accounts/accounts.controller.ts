import { Get, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { GetAccount, GetLimits, ListAccounts } from '@ponte/contracts';
import { Services } from '../../edge/services';
import { accessDenied } from '../../errors/api-error';
import { Lists } from '../../lists/lists';
import { PageQuery } from '../../lists/page-query';
import { described, Operation, Resource } from '../../openapi/operation';
import { ACCOUNT_EXAMPLE, accountDto, AccountEnvelopeDto, AccountsDto } from './account.dto';
import { limitDto, LIMITS_EXAMPLE, LimitsDto } from './limits.dto';

@Resource('api/v1/accounts', 'accounts')
export class AccountsController {
  constructor(private readonly services: Services, private readonly lists: Lists) {}

  @Operation({
    id: 'list-accounts', summary: "The key's own account and its sub-accounts", reach: 'own', query: PageQuery,
    answer: described(AccountsDto, { accounts: [ACCOUNT_EXAMPLE] }), paged: true,
  })
  @Get()
  async list(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<AccountsDto> {
    const { call } = request;
    const page = await this.services.request(ListAccounts, { accountId: call.accountId, page: this.lists.page(request) }, call);
    return { accounts: this.lists.items(page, request, reply).map(accountDto) };
  }

  @Operation({ id: 'get-account', summary: 'One account', reach: 'account', answer: described(AccountEnvelopeDto, { account: ACCOUNT_EXAMPLE }) })
  @Get(':accountId')
  async get(@Req() { call }: FastifyRequest): Promise<AccountEnvelopeDto> {
    const account = await this.services.request(GetAccount, { accountId: call.accountId }, call);
    if (!account) throw accessDenied();
    return { account: accountDto(account) };
  }

  @Operation({ id: 'get-limits', summary: 'Smallest and largest amounts of an account', reach: 'account', answer: described(LimitsDto, LIMITS_EXAMPLE) })
  @Get(':accountId/limits')
  async limits(@Req() { call }: FastifyRequest): Promise<LimitsDto> {
    const { limits } = await this.services.request(GetLimits, { accountId: call.accountId }, call);
    return { limits: limits.map(limitDto) };
  }
}
