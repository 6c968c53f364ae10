import { Inject, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import {
  AdvanceClock,
  AdvanceWithdrawal,
  DecideInSandbox,
  holderIdOf,
  SetSandboxPricing,
  SimulateDeposit,
  SimulatePixPayment,
  SimulateTokenDeposit,
} from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import { SubjectErased } from '@ponte/event-sourcing';
import type { Violation } from '@ponte/kernel';
import { derivedId, isUuid, parseTaxId, refuse } from '@ponte/kernel';
import { PERSONAL_DATA } from '@ponte/nest';
import { AccountReach } from '../../authorization/reach';
import type { AccountRequest } from '../../edge/request-context';
import { Services } from '../../edge/services';
import { notFound, shapeError } from '../../errors/api-error';
import { described } from '../../openapi/operation-spec';
import { Operation, Resource } from '../../openapi/operation';
import { isPlainObject } from '../../validation/plain-object';
import { AccountRequestEnvelopeDto, DecisionDto } from '../onboarding/account-request.dto';
import { ACCOUNT_REQUEST_EXAMPLE, DECISION_EXAMPLE } from '../onboarding/onboarding.examples';
import { accountRequestDto } from '../onboarding/onboarding.mapper';
import { pathRequest } from '../path';
import { WITHDRAWAL_EXAMPLE, WithdrawalEnvelopeDto } from '../withdrawals/withdrawal.dto';
import { withdrawalDto } from '../withdrawals/withdrawal.mapper';
import {
  advanceViolations,
  CLOCK_ADVANCE_EXAMPLE,
  CLOCK_EXAMPLE,
  ClockAdvanceDto,
  clockDto,
  ClockEnvelopeDto,
} from './clock.dto';
import {
  PIX_PAYMENT_EXAMPLE,
  PIX_PAYMENT_REQUEST_EXAMPLE,
  PixPaymentEnvelopeDto,
  PixPaymentRequestDto,
  PRICING_EXAMPLE,
  PricingControlDto,
  PricingStateEnvelopeDto,
  SANDBOX_DEPOSIT_EXAMPLE,
  SANDBOX_DEPOSIT_REQUEST_EXAMPLE,
  SandboxDepositEnvelopeDto,
  SandboxDepositRequestDto,
} from './sandbox.dto';

/** What only the sandbox can do; a production process has none of these routes. */
@Resource('api/v1/sandbox', 'sandbox')
export class SandboxController {
  constructor(
    private readonly services: Services,
    private readonly reach: AccountReach,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
  ) {}

  @Operation({
    id: 'simulate-pix-payment',
    whileFrozen: 'allowed',
    summary: 'Someone pays by Pix at the simulated bank',
    reach: 'own',
    body: described(PixPaymentRequestDto, PIX_PAYMENT_REQUEST_EXAMPLE, { violations: payeeViolations }),
    answer: described(PixPaymentEnvelopeDto, PIX_PAYMENT_EXAMPLE),
    errors: ['amount-must-be-string', 'amount-scale-exceeded', 'invalid-tax-id', 'account-access-denied'],
  })
  @Post('pix-payments')
  async pay(@Req() { call, body }: FastifyRequest): Promise<PixPaymentEnvelopeDto> {
    const input = body as PixPaymentRequestDto;
    const accountId = input['account-id'] ?? null;
    const brcode = input.brcode ?? null;
    if (accountId !== null) await this.reach.check(call.caller?.accountId ?? '', accountId);
    const payerTaxId =
      input['payer-tax-id'] === undefined ? null : await this.sealTaxId(input['payer-tax-id'], call.commandId);
    const paid = await this.services.request(
      SimulatePixPayment,
      { brcode, accountId, amount: input.amount ?? null, payerTaxId },
      call,
    );
    return { 'pix-payment': { 'end-to-end-id': paid.endToEndId, amount: paid.amount, 'settled-at': paid.settledAt } };
  }

  @Operation({
    id: 'set-sandbox-pricing',
    whileFrozen: 'allowed',
    summary: 'Fix the USD rate and the off-market flag',
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
    summary: 'Move business time on, for everybody in the sandbox',
    reach: 'own',
    body: described(ClockAdvanceDto, CLOCK_ADVANCE_EXAMPLE, { violations: advanceViolations }),
    answer: described(ClockEnvelopeDto, CLOCK_EXAMPLE),
  })
  @Post('clock/advance')
  async advanceClock(@Req() { call, body }: FastifyRequest): Promise<ClockEnvelopeDto> {
    const { seconds = null, until = null } = body as ClockAdvanceDto;
    return clockDto(await this.services.request(AdvanceClock, { seconds, until }, call));
  }

  @Operation({
    id: 'decide-account-request',
    whileFrozen: 'allowed',
    summary: 'Decide a request for an account in the place of compliance',
    reach: 'own',
    secretAnswer: true,
    body: described(DecisionDto, DECISION_EXAMPLE),
    answer: described(AccountRequestEnvelopeDto, ACCOUNT_REQUEST_EXAMPLE),
    errors: ['account-request-not-found', 'review-not-open', 'review-by-staff-required'],
  })
  @Post('account-requests/:id/decision')
  async decide(@Req() { call, body, params }: AccountRequest): Promise<AccountRequestEnvelopeDto> {
    const { decision, reason = null, items = [] } = body as DecisionDto;
    const strangers = [
      ...(decision === 'approve' && reason !== null ? ['reason'] : []),
      ...(decision !== 'ask-information' && items.length > 0 ? ['items'] : []),
    ];
    if (strangers.length > 0)
      throw shapeError(
        strangers.map((path) => ({ path, code: 'unknown-field', message: `does not go with ${decision}` })),
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
    summary: 'Have the simulated bank settle a withdrawal that it holds back',
    reach: 'own',
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
    return { withdrawal: await withdrawalDto(record, this.personalData) };
  }

  @Operation({
    id: 'simulate-deposit',
    summary: 'Money arrives for an account, by Pix, TED, as USD or as tokens on a chain',
    reach: 'own',
    body: described(SandboxDepositRequestDto, SANDBOX_DEPOSIT_REQUEST_EXAMPLE, { violations: depositViolations }),
    answer: described(SandboxDepositEnvelopeDto, SANDBOX_DEPOSIT_EXAMPLE),
    errors: [
      'amount-must-be-string',
      'amount-scale-exceeded',
      'amount-below-minimum',
      'invalid-tax-id',
      'account-access-denied',
      'asset-not-supported',
      'insufficient-balance',
      'wallet-not-found',
    ],
  })
  @Post('deposits')
  async deposit(@Req() { call, body }: FastifyRequest): Promise<SandboxDepositEnvelopeDto> {
    const {
      'account-id': accountId,
      type,
      amount,
      'payer-tax-id': payer = null,
      asset,
      'target-address': targetAddress = null,
    } = body as SandboxDepositRequestDto;
    await this.reach.check(call.caller?.accountId ?? '', accountId);
    if (type === 'token') {
      const { txHash, sourceAddress, ...sent } = await this.services.request(
        SimulateTokenDeposit,
        { accountId, asset: asset ?? refuse('asset-not-supported', 'must be a token', 'asset'), amount, targetAddress },
        call,
      );
      return {
        deposit: {
          type,
          asset: sent.asset,
          amount: sent.amount,
          'tx-hash': txHash,
          'source-address': sourceAddress,
          'target-address': sent.targetAddress,
        },
      };
    }
    const payerTaxId = payer === null ? null : await this.sealTaxId(payer, call.commandId);
    const { endToEndId, ...sent } = await this.services.request(
      SimulateDeposit,
      { accountId, type, amount, payerTaxId },
      call,
    );
    return { deposit: { type: sent.type, asset: sent.asset, amount: sent.amount, 'end-to-end-id': endToEndId } };
  }

  /**
   * Messages carry personal data sealed, under the person's own subject; a person who was erased can still pay, as at a
   * real bank.
   */
  private async sealTaxId(text: string, commandId: string): Promise<string> {
    const { value } =
      parseTaxId(text) ?? refuse('invalid-tax-id', 'must be a CPF or a CNPJ with its check digits', 'payer-tax-id');
    try {
      return await this.personalData.seal(holderIdOf(this.personalData.fingerprint('tax-id', value)), value);
    } catch (error) {
      if (error instanceof SubjectErased) return this.personalData.seal(derivedId('person', 'payer', commandId), value);
      throw error;
    }
  }
}

/** Either a code is paid or an account. */
function payeeViolations(body: unknown): Violation[] {
  if (!isPlainObject(body)) return [];
  const both = body['brcode'] !== undefined;
  if (both !== (body['account-id'] !== undefined)) return [];
  return [
    {
      path: both ? 'account-id' : 'brcode',
      code: both ? 'unknown-field' : 'missing-field',
      message: 'exactly one of brcode and account-id is sent',
    },
  ];
}

/** Members that belong to the type alone. */
function depositViolations(body: unknown): Violation[] {
  if (!isPlainObject(body) || typeof body['type'] !== 'string') return [];
  const strangers = body['type'] === 'token' ? ['payer-tax-id'] : ['asset', 'target-address'];
  const missing: Violation[] =
    body['type'] === 'token' && body['asset'] === undefined
      ? [{ path: 'asset', code: 'missing-field', message: 'is mandatory for token' }]
      : [];
  return [
    ...strangers
      .filter((path) => body[path] !== undefined)
      .map((path): Violation => ({ path, code: 'unknown-field', message: `does not go with ${String(body['type'])}` })),
    ...missing,
  ];
}
