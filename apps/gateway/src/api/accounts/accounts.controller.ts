import { Get, Inject, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  CreateRelianceRequest,
  GetAccount,
  GetAccountListing,
  GetLimits,
  ListAccounts,
  sealRequest,
} from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import { Refusal } from '@ponte/kernel';
import { PERSONAL_DATA } from '@ponte/nest';
import type { Call } from '../../edge/request-context.service';
import { Services } from '../../edge/request-context.service';
import { accessDenied, ApiError } from '../../errors/api-error';
import type { ListRequest } from '../../pagination/list-request';
import { Listed } from '../../pagination/pagination.pipe';
import { PageQuery } from '../../pagination/page-query';
import { described } from '../../openapi/operation-spec';
import { Operation, Resource } from '../../openapi/operation';
import { relianceRequest } from '../onboarding/onboarding.mapper';
import type { AccountCreationDto } from './account-creation.dto';
import { CREATING_ACCOUNT, relianceOf, violationsHere } from './account-creation.dto';
import { ACCOUNT_EXAMPLE, accountDto, AccountEnvelopeDto, AccountsDto } from './account.dto';
import { limitDto, LimitsDto } from './limits.dto';

const OK = 200;

@Resource('api/v1/accounts', 'accounts')
export class AccountsController {
  constructor(
    private readonly services: Services,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
  ) {}

  @Operation({
    id: 'list-accounts',
    summary: "List the key's own account first, then its sub-accounts, newest first",
    reach: 'own',
    query: PageQuery,
    answer: described(AccountsDto, { accounts: [ACCOUNT_EXAMPLE] }),
    paged: true,
  })
  @Get()
  async list(@Listed() list: ListRequest): Promise<AccountsDto> {
    return { accounts: (await list.find(ListAccounts, { accountId: list.call.accountId })).map(accountDto) };
  }

  @Operation({
    id: 'get-account',
    summary: 'Get an account',
    reach: 'account',
    answer: described(AccountEnvelopeDto, { account: ACCOUNT_EXAMPLE }),
  })
  @Get(':accountId')
  async get(@Req() { call }: FastifyRequest): Promise<AccountEnvelopeDto> {
    return this.listing(call.accountId, call);
  }

  /** The published form of a reliance request: the same operation, but the response is the account. */
  @Operation({ ...CREATING_ACCOUNT, id: 'create-account' })
  @Post()
  async create(
    @Req() { call, body }: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AccountEnvelopeDto> {
    const parent = await this.services.request(GetAccount, { accountId: call.accountId }, call);
    if (!parent?.capabilities.includes('manage-holders'))
      throw new ApiError('missing-capability', { message: 'The account needs the capability manage-holders.' });
    const sealed = await sealRequest(this.personalData, relianceRequest(relianceOf(body as AccountCreationDto)));
    const { created, request } = await this.services
      .request(CreateRelianceRequest, { parentId: call.accountId, body: sealed }, call)
      .catch((error: unknown) => {
        throw error instanceof Refusal ? new Refusal(violationsHere(error.violations)) : error;
      });
    if (!created) reply.code(OK);
    return this.listing(request.accountId, call);
  }

  private async listing(accountId: string, call: Call): Promise<AccountEnvelopeDto> {
    const account = await this.services.request(GetAccountListing, { accountId }, call);
    if (!account) throw accessDenied();
    return { account: accountDto(account) };
  }

  @Operation({
    id: 'get-limits',
    summary: 'Get the quote limits of an account',
    reach: 'account',
    answer: described(LimitsDto),
  })
  @Get(':accountId/limits')
  async limits(@Req() { call }: FastifyRequest): Promise<LimitsDto> {
    const { limits } = await this.services.request(GetLimits, { accountId: call.accountId }, call);
    return { limits: limits.map(limitDto) };
  }
}
