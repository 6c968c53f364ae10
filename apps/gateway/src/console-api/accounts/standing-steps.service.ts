import { Inject, Injectable } from '@nestjs/common';
import type { AccountStanding, ConfirmAccountFreeze, StaffActor, ViewPurpose } from '@ponte/contracts';
import {
  GetAccountStanding,
  ListAddressMatches,
  OpenAccountStanding,
  RequestAccountClosing,
  sealRequest,
} from '@ponte/contracts';
import type { PersonalData, RequestDefinition, Sealed } from '@ponte/event-sourcing';
import type { PublicErrorCode } from '@ponte/kernel';
import { Unavailable } from '@ponte/kernel';
import { LOGGER, PERSONAL_DATA } from '@ponte/nest';
import type { Logger } from 'pino';
import { pathAccount } from '../../api/path';
import type { AccountRequest, Call } from '../../edge/request-context.service';
import { Services } from '../../edge/request-context.service';
import type { OperationSpec } from '../../openapi/operation-spec';
import { described } from '../../openapi/operation-spec';
import { signedIn } from '../../staff/call';
import { StaffNames } from '../../staff/names.service';
import { StaffOperation } from '../../staff/operation';
import type { StaffOperationId } from '../../staff/roles';
import type { ClosingDto, StepDecisionDto } from './freeze.dto';
import { AccountStandingEnvelopeDto, STANDING_EXAMPLE } from './freeze.dto';
import type { AddressMatches } from './freeze.mapper';
import { staffInStanding, standingDto } from './freeze.mapper';

/** An operation that returns the standing of an account. */
export const StandingStep = (
  id: StaffOperationId,
  summary: string,
  errors: readonly PublicErrorCode[],
  body?: OperationSpec['body'],
  query?: OperationSpec['query'],
): MethodDecorator =>
  StaffOperation(id, {
    summary,
    ...(body ? { body } : {}),
    ...(query ? { query } : {}),
    answer: described(AccountStandingEnvelopeDto, STANDING_EXAMPLE),
    errors: ['account-not-found', ...errors],
  });

interface ByStaff {
  readonly accountId: string;
  readonly staff: StaffActor;
}

/** Executes the steps of freezing, releasing and closing accounts. Each returns the account in its new state. */
@Injectable()
export class StandingSteps {
  constructor(
    private readonly services: Services,
    private readonly names: StaffNames,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Requests a step. The evidence crosses the bus encrypted. */
  async requested<R extends string>(
    definition: RequestDefinition<ByStaff & { reason: R; evidence: Sealed }, AccountStanding>,
    request: AccountRequest,
  ): Promise<AccountStandingEnvelopeDto> {
    const { reason, evidence } = request.body as { reason: R; evidence: string };
    const sealed = await sealRequest(this.personalData, { secret: evidence });
    return this.done(definition, request, (subject) => ({ ...subject, reason, evidence: sealed }));
  }

  /** Requests a closing, with what it writes off. */
  async closing(request: AccountRequest): Promise<AccountStandingEnvelopeDto> {
    const { reason, evidence, 'write-off': writeOff } = request.body as ClosingDto;
    const sealed = await sealRequest(this.personalData, { secret: evidence });
    return this.done(RequestAccountClosing, request, (subject) => ({
      ...{ ...subject, reason, evidence: sealed },
      ...(writeOff && { writeOff }),
    }));
  }

  /** A decision about the request that the staff member has read. */
  decided(definition: typeof ConfirmAccountFreeze, request: AccountRequest): Promise<AccountStandingEnvelopeDto> {
    const { request: read } = request.body as StepDecisionDto;
    return this.done(definition, request, (subject) => ({ ...subject, request: read }));
  }

  /** Without a purpose, neither evidence nor reasons are shown, and nothing is recorded. Null without the account. */
  async open(
    accountId: string,
    purpose: ViewPurpose | undefined,
    call: Call,
  ): Promise<AccountStandingEnvelopeDto | null> {
    if (purpose === undefined) {
      const standing = await this.services.request(GetAccountStanding, { accountId }, call);
      return standing && this.shown(standing, await this.matches(accountId, call), call, false);
    }
    const matches = await this.matches(accountId, call);
    const view = { accountId, staff: signedIn(call).actor, purpose, showsReasons: (matches?.total ?? 0) > 0 };
    const standing = await this.services.request(OpenAccountStanding, view, call);
    return standing && this.shown(standing, matches, call, true);
  }

  private async shown(
    standing: AccountStanding,
    matches: AddressMatches | null,
    call: Call,
    showsReasons: boolean,
  ): Promise<AccountStandingEnvelopeDto> {
    const nameOf = await this.names.of(staffInStanding(standing, matches));
    const { personalData, logger } = this;
    return standingDto(standing, matches, { personalData, logger, call }, nameOf, showsReasons);
  }

  private async done<P>(
    definition: RequestDefinition<P, AccountStanding>,
    { call, params }: AccountRequest,
    payload: (subject: ByStaff) => P,
  ) {
    const subject = { accountId: pathAccount(params), staff: signedIn(call).actor };
    const standing = await this.services.request(definition, payload(subject), call);
    // The step records a view only if there is evidence of its own.
    return this.shown(standing, await this.matches(subject.accountId, call), call, false);
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
