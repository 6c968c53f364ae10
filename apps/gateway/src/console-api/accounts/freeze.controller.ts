import { Get, Post, Req } from '@nestjs/common';
import {
  CloseFreezeRequest,
  ConfirmAccountFreeze,
  ConfirmAccountRelease,
  ListFrozenAccounts,
  RequestAccountFreeze,
  RequestAccountRelease,
} from '@ponte/contracts';
import type { AccountRequest } from '../../edge/request-context.service';
import { found } from '../../errors/api-error';
import type { ListRequest } from '../../pagination/list-request';
import { Listed } from '../../pagination/pagination.pipe';
import { PageQuery } from '../../pagination/page-query';
import { described } from '../../openapi/operation-spec';
import { Resource } from '../../openapi/operation';
import { StaffOperation } from '../../staff/operation';
import { pathAccount } from '../../api/path';
import type { AccountStandingEnvelopeDto } from './freeze.dto';
import { FreezeDto, FrozenAccountsDto, ReleaseDto, StandingQuery, StepDecisionDto } from './freeze.dto';
import { accountLineDto } from './freeze.mapper';
import { StandingStep, StandingSteps } from './standing-steps.service';

/**
 * Freezes and releases accounts: one staff member requests, another confirms. Each route returns the account in its new
 * state.
 */
@Resource('staff/v1', 'accounts')
export class FreezeController {
  constructor(private readonly steps: StandingSteps) {}

  @StaffOperation('staff-list-frozen-accounts', {
    summary: 'List the accounts that are frozen or have a freeze waiting for confirmation',
    paged: true,
    query: PageQuery,
    answer: described(FrozenAccountsDto),
  })
  @Get('frozen-accounts')
  async list(@Listed() list: ListRequest): Promise<FrozenAccountsDto> {
    return { accounts: (await list.find(ListFrozenAccounts, {})).map(accountLineDto) };
  }

  @StandingStep(
    'staff-get-account-standing',
    'Show the status of an account and the reasons for it. With a purpose, show the evidence and record the view',
    ['personal-data-restricted'],
    undefined,
    StandingQuery,
  )
  @Get('accounts/:id/standing')
  async get(@Req() { call, params, query }: AccountRequest): Promise<AccountStandingEnvelopeDto> {
    const { purpose } = query as unknown as StandingQuery;
    return found(await this.steps.open(pathAccount(params), purpose, call), 'account-not-found');
  }

  @StandingStep(
    'staff-request-freeze',
    'Request the freeze of an account',
    ['account-already-frozen', 'freeze-step-pending'],
    described(FreezeDto),
  )
  @Post('accounts/:id/freeze')
  freeze(@Req() request: AccountRequest): Promise<AccountStandingEnvelopeDto> {
    return this.steps.requested(RequestAccountFreeze, request);
  }

  @StandingStep(
    'staff-request-release',
    'Request the release of a frozen account',
    ['account-not-frozen', 'freeze-step-pending'],
    described(ReleaseDto),
  )
  @Post('accounts/:id/release')
  release(@Req() request: AccountRequest): Promise<AccountStandingEnvelopeDto> {
    return this.steps.requested(RequestAccountRelease, request);
  }

  @StandingStep(
    'staff-confirm-freeze',
    'Freeze an account, as another staff member requested',
    ['second-member-required', 'freeze-step-not-pending', 'review-changed'],
    described(StepDecisionDto),
  )
  @Post('accounts/:id/freeze/confirm')
  confirmFreeze(@Req() request: AccountRequest): Promise<AccountStandingEnvelopeDto> {
    return this.steps.decided(ConfirmAccountFreeze, request);
  }

  @StandingStep(
    'staff-confirm-release',
    'Release an account, as another staff member requested',
    ['second-member-required', 'freeze-step-not-pending', 'review-changed', 'review-open'],
    described(StepDecisionDto),
  )
  @Post('accounts/:id/release/confirm')
  confirmRelease(@Req() request: AccountRequest): Promise<AccountStandingEnvelopeDto> {
    return this.steps.decided(ConfirmAccountRelease, request);
  }

  @StandingStep(
    'staff-close-freeze-request',
    'Withdraw your own request, or refuse that of another staff member',
    ['freeze-step-not-pending'],
    described(StepDecisionDto),
  )
  @Post('accounts/:id/freeze-request/close')
  close(@Req() request: AccountRequest): Promise<AccountStandingEnvelopeDto> {
    return this.steps.decided(CloseFreezeRequest, request);
  }
}
