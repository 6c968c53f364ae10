import { Inject, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { holderIdOf, SetSandboxPricing, SimulatePixPayment } from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import { parseTaxId, refuse } from '@ponte/kernel';
import { PERSONAL_DATA } from '@ponte/nest';
import { AccountReach } from '../../auth/reach';
import { Services } from '../../edge/services';
import { shapeError } from '../../errors/api-error';
import { described, Operation, Resource } from '../../openapi/operation';
import {
  PIX_PAYMENT_EXAMPLE, PIX_PAYMENT_REQUEST_EXAMPLE, PixPaymentEnvelopeDto, PixPaymentRequestDto, PRICING_EXAMPLE, PricingControlDto, PricingStateEnvelopeDto,
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
    id: 'simulate-pix-payment', summary: 'Somebody pays by Pix at the simulated bank', reach: 'own',
    body: described(PixPaymentRequestDto, PIX_PAYMENT_REQUEST_EXAMPLE), answer: described(PixPaymentEnvelopeDto, PIX_PAYMENT_EXAMPLE),
    errors: ['amount-must-be-string', 'amount-scale-exceeded', 'invalid-tax-id', 'account-access-denied'],
  })
  @Post('pix-payments')
  async pay(@Req() { call, body }: FastifyRequest): Promise<PixPaymentEnvelopeDto> {
    const wanted = body as PixPaymentRequestDto;
    const accountId = wanted['account-id'] ?? null;
    const brcode = wanted.brcode ?? null;
    if ((accountId === null) === (brcode === null)) throw shapeError([eitherOr(brcode !== null)]);
    if (accountId !== null) await this.reach.check(call.caller?.accountId ?? '', accountId);
    const payerTaxId = wanted['payer-tax-id'] === undefined ? null : await this.sealTaxId(wanted['payer-tax-id']);
    const paid = await this.services.request(SimulatePixPayment, { brcode, accountId, amount: wanted.amount ?? null, payerTaxId }, call);
    return { 'pix-payment': { 'end-to-end-id': paid.endToEndId, amount: paid.amount, 'settled-at': paid.settledAt } };
  }

  @Operation({
    id: 'set-sandbox-pricing', summary: 'Fix the USD rate and the off-market flag', reach: 'own',
    body: described(PricingControlDto, { rate: '5.3412000000', 'off-market': true }), answer: described(PricingStateEnvelopeDto, PRICING_EXAMPLE),
    errors: ['amount-must-be-string'],
  })
  @Post('pricing')
  async setPricing(@Req() { call, body }: FastifyRequest): Promise<PricingStateEnvelopeDto> {
    const wanted = body as PricingControlDto;
    const { rate, offMarket } = await this.services.request(SetSandboxPricing, { rate: wanted.rate ?? null, offMarket: wanted['off-market'] ?? null }, call);
    return { pricing: { rate, 'off-market': offMarket } };
  }

  /** Messages carry personal data sealed, under the person's own subject. */
  private sealTaxId(text: string): Promise<string> {
    const taxId = parseTaxId(text) ?? refuse('invalid-tax-id', 'a CPF or a CNPJ with its check digits is wanted', 'payer-tax-id');
    return this.personalData.seal(holderIdOf(this.personalData.fingerprint('tax-id', taxId.value)), taxId.value);
  }
}

const eitherOr = (both: boolean) => ({
  path: both ? 'account-id' : 'brcode', code: both ? 'unknown-field' : 'missing-field', message: 'exactly one of brcode and account-id is sent',
});
