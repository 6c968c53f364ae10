import { Inject, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AdvanceClock, AdvanceWithdrawal, DecideInSandbox, SetSandboxPricing } from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import { isUuid } from '@ponte/kernel';
import { PERSONAL_DATA } from '@ponte/nest';
import type { AccountRequest } from '../../edge/request-context.service';
import { Services } from '../../edge/request-context.service';
import { ShownPersonalData } from '../../personal-data/shown-personal-data.service';
import { notFound, shapeError } from '../../errors/api-error';
import { described } from '../../openapi/operation-spec';
import { Operation, Resource } from '../../openapi/operation';
import { AccountRequestEnvelopeDto, DecisionDto } from '../onboarding/account-request.dto';
import { ACCOUNT_REQUEST_EXAMPLE, DECISION_EXAMPLE } from '../onboarding/onboarding.examples';
import { accountRequestDto } from '../onboarding/onboarding.mapper';
import { pathRequest } from '../path';
import { WITHDRAWAL_EXAMPLE, WithdrawalEnvelopeDto } from '../withdrawals/withdrawal.dto';
import { withdrawalDto } from '../withdrawals/withdrawal.mapper';
import { advanceViolations, CLOCK_ADVANCE_EXAMPLE, ClockAdvanceDto, clockDto, ClockEnvelopeDto } from './clock.dto';
import { PRICING_EXAMPLE, PricingControlDto, PricingStateEnvelopeDto } from './sandbox.dto';

/** Operations that exist only in the sandbox. A production process does not have these routes. */
@Resource('api/v1/sandbox', 'sandbox')
export class SandboxController {
  constructor(
    private readonly services: Services,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
    private readonly shownPersonalData: ShownPersonalData,
  ) {}

  @Operation({
    id: 'set-sandbox-pricing',
    whileFrozen: 'allowed',
    summary: 'Set the USD rate and the off-market flag',
    reach: 'own',
    body: described(PricingControlDto, { rate: '5.3412000000', 'off-market': true }),
    answer: described(PricingStateEnvelopeDto, PRICING_EXAMPLE),
    errors: ['amount-must-be-string'],
  })
  @Post('pricing')
  async setPricing(@Req() { call, body }: FastifyRequest): Promise<PricingStateEnvelopeDto> {
    const input = body as PricingControlDto;
    const { rate, offMarket } = await this.services.request(
      SetSandboxPricing,
      { rate: input.rate ?? null, offMarket: input['off-market'] ?? null },
      call,
    );
    return {
      pricing: { ...(rate === null ? {} : { rate }), ...(offMarket === null ? {} : { 'off-market': offMarket }) },
    };
  }

  @Operation({
    id: 'advance-clock',
    whileFrozen: 'allowed',
    summary: 'Advance business time for all accounts of the sandbox',
    reach: 'own',
    body: described(ClockAdvanceDto, CLOCK_ADVANCE_EXAMPLE, { violations: advanceViolations }),
    answer: described(ClockEnvelopeDto),
  })
  @Post('clock/advance')
  async advanceClock(@Req() { call, body }: FastifyRequest): Promise<ClockEnvelopeDto> {
    const { seconds = null, until = null } = body as ClockAdvanceDto;
    return clockDto(await this.services.request(AdvanceClock, { seconds, until }, call));
  }

  @Operation({
    id: 'decide-account-request',
    whileFrozen: 'allowed',
    summary: 'Decide an account request in place of compliance staff',
    reach: 'own',
    secretAnswer: true,
    body: described(DecisionDto, DECISION_EXAMPLE),
    answer: described(AccountRequestEnvelopeDto, ACCOUNT_REQUEST_EXAMPLE),
    errors: ['account-request-not-found', 'account-request-not-pending', 'review-not-open', 'review-by-staff-required'],
  })
  @Post('account-requests/:id/decision')
  async decide(@Req() { call, body, params }: AccountRequest): Promise<AccountRequestEnvelopeDto> {
    const { decision, reason = null, items = [] } = body as DecisionDto;
    const unexpected = [
      ...(decision === 'approve' && reason !== null ? ['reason'] : []),
      ...(decision !== 'ask-information' && items.length > 0 ? ['items'] : []),
    ];
    if (unexpected.length > 0)
      throw shapeError(
        unexpected.map((path) => ({ path, code: 'unknown-field', message: `is not accepted with ${decision}` })),
      );
    const decided = await this.services.request(
      DecideInSandbox,
      { parentId: call.accountId, requestId: pathRequest(params), decision, reason, items },
      call,
    );
    return { 'account-request': await accountRequestDto(decided, this.personalData) };
  }

  @Operation({
    id: 'advance-withdrawal',
    summary: 'Complete a withdrawal that the simulated bank is holding back',
    reach: 'own',
    secretAnswer: true,
    answer: described(WithdrawalEnvelopeDto, { withdrawal: { ...WITHDRAWAL_EXAMPLE, state: 'completed' } }),
    errors: ['withdrawal-not-found'],
  })
  @Post('withdrawals/:id/advance')
  async advanceWithdrawal(@Req() { call, params }: AccountRequest): Promise<WithdrawalEnvelopeDto> {
    const withdrawalId = params['id'];
    const record = isUuid(withdrawalId)
      ? await this.services.request(AdvanceWithdrawal, { withdrawalId, accountIds: [call.accountId] }, call)
      : null;
    if (!record) throw notFound('withdrawal-not-found');
    return { withdrawal: await withdrawalDto(record, this.shownPersonalData) };
  }
}
