import type { PublicErrorCode } from '@ponte/kernel';
import { Unavailable } from '@ponte/kernel';
import { Get, Inject, Post, Req } from '@nestjs/common';
import type { AccountStanding, StaffActor } from '@ponte/contracts';
import {
  CloseFreezeRequest,
  ConfirmAccountFreeze,
  ConfirmAccountRelease,
  GetAccountStanding,
  ListAddressMatches,
  ListFrozenAccounts,
  RequestAccountFreeze,
  RequestAccountRelease,
  sealRequest,
} from '@ponte/contracts';
import type { PersonalData, RequestDefinition } from '@ponte/event-sourcing';
import { LOGGER, PERSONAL_DATA } from '@ponte/nest';
import type { Logger } from 'pino';
import type { AccountRequest, Call } from '../../edge/request-context';
import { Services } from '../../edge/services';
import { notFound } from '../../errors/api-error';
import type { ListRequest } from '../../pagination/list-request';
import { Listed } from '../../pagination/pagination';
import { PageQuery } from '../../pagination/page-query';
import { described } from '../../openapi/operation-spec';
import { Resource } from '../../openapi/operation';
import type { OperationSpec } from '../../openapi/operation-spec';
import { signedIn } from '../../staff/call';
import { StaffNames } from '../../staff/names';
import { StaffOperation } from '../../staff/operation';
import type { StaffOperationId } from '../../staff/roles';
import { pathAccount } from '../../api/path';
import {
  AccountStandingEnvelopeDto,
  FreezeDecisionDto,
  FreezeDto,
  FrozenAccountsDto,
  ReleaseDto,
  STANDING_EXAMPLE,
} from './freeze.dto';
import type { AddressMatches } from './freeze.mapper';
import { accountLineDto, staffInStanding, standingDto } from './freeze.mapper';

const FreezeStep = (
  id: StaffOperationId,
  summary: string,
  errors: readonly PublicErrorCode[],
  body?: OperationSpec['body'],
): MethodDecorator =>
  StaffOperation(id, {
    summary,
    ...(body ? { body } : {}),
    answer: described(AccountStandingEnvelopeDto, STANDING_EXAMPLE),
    errors: ['account-not-found', ...errors],
  });

/**
 * Freezes and releases accounts: one staff member requests, another confirms. Each route returns the account in its new
 * state.
 */
@Resource('staff/v1', 'accounts')
export class FreezeController {
  constructor(
    private readonly services: Services,
    private readonly names: StaffNames,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

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

  @FreezeStep('staff-get-account-standing', 'Show the status of an account and the reasons for it', [])
  @Get('accounts/:id/standing')
  async get(@Req() { call, params }: AccountRequest): Promise<AccountStandingEnvelopeDto> {
    const standing = await this.services.request(GetAccountStanding, { accountId: pathAccount(params) }, call);
    if (!standing) throw notFound('account-not-found');
    return this.shown(standing, call);
  }

  @FreezeStep(
    'staff-request-freeze',
    'Ask for a freeze',
    ['account-already-frozen', 'freeze-step-pending'],
    described(FreezeDto),
  )
  @Post('accounts/:id/freeze')
  async freeze(@Req() request: AccountRequest): Promise<AccountStandingEnvelopeDto> {
    const { reason, evidence } = request.body as FreezeDto;
    const sealed = await sealRequest(this.personalData, { secret: evidence });
    return this.done(RequestAccountFreeze, request, (subject) => ({ ...subject, reason, evidence: sealed }));
  }

  @FreezeStep(
    'staff-request-release',
    'Ask for a release',
    ['account-not-frozen', 'freeze-step-pending'],
    described(ReleaseDto),
  )
  @Post('accounts/:id/release')
  async release(@Req() request: AccountRequest): Promise<AccountStandingEnvelopeDto> {
    const { reason, evidence } = request.body as ReleaseDto;
    const sealed = await sealRequest(this.personalData, { secret: evidence });
    return this.done(RequestAccountRelease, request, (subject) => ({ ...subject, reason, evidence: sealed }));
  }

  @FreezeStep(
    'staff-confirm-freeze',
    'Freeze an account that another member asked to freeze',
    ['second-member-required', 'freeze-step-not-pending'],
    described(FreezeDecisionDto),
  )
  @Post('accounts/:id/freeze/confirm')
  confirmFreeze(@Req() request: AccountRequest): Promise<AccountStandingEnvelopeDto> {
    return this.decided(ConfirmAccountFreeze, request);
  }

  @FreezeStep(
    'staff-confirm-release',
    'Release an account that another member asked to release',
    ['second-member-required', 'freeze-step-not-pending'],
    described(FreezeDecisionDto),
  )
  @Post('accounts/:id/release/confirm')
  confirmRelease(@Req() request: AccountRequest): Promise<AccountStandingEnvelopeDto> {
    return this.decided(ConfirmAccountRelease, request);
  }

  @FreezeStep(
    'staff-close-freeze-request',
    'Withdraw your own request, or refuse that of another staff member',
    ['freeze-step-not-pending'],
    described(FreezeDecisionDto),
  )
  @Post('accounts/:id/freeze-request/close')
  close(@Req() request: AccountRequest): Promise<AccountStandingEnvelopeDto> {
    return this.decided(CloseFreezeRequest, request);
  }

  /** A decision about the request that the staff member has read. */
  private decided(definition: typeof ConfirmAccountFreeze, request: AccountRequest) {
    const { request: read } = request.body as FreezeDecisionDto;
    return this.done(definition, request, (subject) => ({ ...subject, request: read }));
  }

  private async done<P>(
    definition: RequestDefinition<P, AccountStanding>,
    { call, params }: AccountRequest,
    payload: (subject: { accountId: string; staff: StaffActor }) => P,
  ) {
    const subject = { accountId: pathAccount(params), staff: signedIn(call).actor };
    return this.shown(await this.services.request(definition, payload(subject), call), call);
  }

  private async shown(standing: AccountStanding, call: Call): Promise<AccountStandingEnvelopeDto> {
    const matches = await this.matches(standing.account.accountId, call);
    const nameOf = await this.names.of(staffInStanding(standing, matches));
    const { personalData, logger } = this;
    return standingDto(standing, matches, { personalData, logger, call }, nameOf);
  }

  /** Null while the ledger is unavailable: a freeze is possible even then, and the response shows the step taken. */
  private async matches(accountId: string, call: Call): Promise<AddressMatches | null> {
    try {
      return await this.services.request(ListAddressMatches, { accountId }, call);
    } catch (error) {
      if (error instanceof Unavailable) return null;
      throw error;
    }
  }
}
