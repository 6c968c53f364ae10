import { Inject, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { holderIdOf, SimulateDeposit, SimulatePixPayment, SimulateTokenDeposit } from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import { SubjectErased } from '@ponte/event-sourcing';
import type { Violation } from '@ponte/kernel';
import { derivedId, parseTaxId, refuse, toWire } from '@ponte/kernel';
import { PERSONAL_DATA } from '@ponte/nest';
import { AccountAccess } from '../../authorization/account-access.service';
import { Services } from '../../edge/request-context.service';
import { described } from '../../openapi/operation-spec';
import { Operation, Resource } from '../../openapi/operation';
import { exampleOf, isPlainObject } from '../../validation/fields';
import {
  PIX_PAYMENT_REQUEST_EXAMPLE,
  PixPaymentEnvelopeDto,
  PixPaymentRequestDto,
  SANDBOX_DEPOSIT_EXAMPLE,
  SandboxDepositEnvelopeDto,
  SandboxDepositRequestDto,
} from './sandbox.dto';

/** Simulates incoming payments at the bank and on the chains. A production process does not have these routes. */
@Resource('api/v1/sandbox', 'sandbox')
export class SandboxDepositsController {
  constructor(
    private readonly services: Services,
    private readonly access: AccountAccess,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
  ) {}

  @Operation({
    id: 'simulate-pix-payment',
    whileFrozen: 'allowed',
    summary: 'Simulate a Pix payment',
    reach: 'own',
    body: described(PixPaymentRequestDto, PIX_PAYMENT_REQUEST_EXAMPLE, { violations: payeeViolations }),
    answer: described(PixPaymentEnvelopeDto),
    errors: [
      'amount-must-be-string',
      'amount-scale-exceeded',
      'invalid-tax-id',
      'account-access-denied',
      'account-not-active',
    ],
  })
  @Post('pix-payments')
  async pay(@Req() { call, body }: FastifyRequest): Promise<PixPaymentEnvelopeDto> {
    const input = body as PixPaymentRequestDto;
    const accountId = input['account-id'] ?? null;
    const brcode = input.brcode ?? null;
    if (accountId !== null) await this.access.checkReach(call.caller?.accountId ?? '', accountId);
    const payerTaxId =
      input['payer-tax-id'] === undefined ? null : await this.sealTaxId(input['payer-tax-id'], call.commandId);
    const paid = await this.services.request(
      SimulatePixPayment,
      { brcode, accountId, amount: input.amount ?? null, payerTaxId },
      call,
    );
    return { 'pix-payment': toWire(paid, 'endToEndId', 'amount', 'settledAt') };
  }

  @Operation({
    id: 'simulate-deposit',
    summary: 'Simulate a deposit by Pix, by TED, in USD or as tokens on a chain',
    reach: 'own',
    body: described(SandboxDepositRequestDto, exampleOf(SandboxDepositRequestDto), { violations: depositViolations }),
    answer: described(SandboxDepositEnvelopeDto, SANDBOX_DEPOSIT_EXAMPLE),
    errors: [
      'amount-must-be-string',
      'amount-scale-exceeded',
      'amount-below-minimum',
      'invalid-tax-id',
      'account-access-denied',
      'account-not-active',
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
    await this.access.checkReach(call.caller?.accountId ?? '', accountId);
    if (type === 'token') {
      const sent = await this.services.request(
        SimulateTokenDeposit,
        { accountId, asset: asset ?? refuse('asset-not-supported', 'must be a token', 'asset'), amount, targetAddress },
        call,
      );
      return { deposit: { type, ...toWire(sent, 'asset', 'amount', 'txHash', 'sourceAddress', 'targetAddress') } };
    }
    const payerTaxId = payer === null ? null : await this.sealTaxId(payer, call.commandId);
    const sent = await this.services.request(SimulateDeposit, { accountId, type, amount, payerTaxId }, call);
    return { deposit: toWire(sent, 'type', 'asset', 'amount', 'endToEndId') };
  }

  /**
   * Seals the payer's tax id under the person's own subject, because messages contain personal data only in sealed
   * form. A person who was erased can still pay, as at a real bank, and gets another subject.
   */
  private async sealTaxId(text: string, commandId: string): Promise<string> {
    const { value } =
      parseTaxId(text) ?? refuse('invalid-tax-id', 'must be a CPF or CNPJ with valid check digits', 'payer-tax-id');
    try {
      return await this.personalData.seal(holderIdOf(this.personalData.fingerprint('tax-id', value)), value);
    } catch (error) {
      if (error instanceof SubjectErased) return this.personalData.seal(derivedId('person', 'payer', commandId), value);
      throw error;
    }
  }
}

/** A payment is made either to a code or to an account. */
function payeeViolations(body: unknown): Violation[] {
  if (!isPlainObject(body)) return [];
  const both = body['brcode'] !== undefined;
  if (both !== (body['account-id'] !== undefined)) return [];
  return [
    {
      path: both ? 'account-id' : 'brcode',
      code: both ? 'unknown-field' : 'missing-field',
      message: 'send exactly one of brcode and account-id',
    },
  ];
}

/** Violations of fields that depend on the type of the deposit. */
function depositViolations(body: unknown): Violation[] {
  if (!isPlainObject(body) || typeof body['type'] !== 'string') return [];
  const unexpected = body['type'] === 'token' ? ['payer-tax-id'] : ['asset', 'target-address'];
  const missing: Violation[] =
    body['type'] === 'token' && body['asset'] === undefined
      ? [{ path: 'asset', code: 'missing-field', message: 'is required for type token' }]
      : [];
  return [
    ...unexpected
      .filter((path) => body[path] !== undefined)
      .map((path): Violation => ({
        path,
        code: 'unknown-field',
        message: body['type'] === 'token' ? 'is not accepted for type token' : 'is accepted only for type token',
      })),
    ...missing,
  ];
}
