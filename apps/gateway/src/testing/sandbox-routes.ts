import { IssuedCertificateEnvelopeDto } from '../api/certificates/certificate.dto';
import { AccountRequestEnvelopeDto } from '../api/onboarding/account-request.dto';
import { SAMPLE } from '../api/samples';
import { ClockEnvelopeDto } from '../api/sandbox/clock.dto';
import { PixPaymentEnvelopeDto, PricingStateEnvelopeDto, SandboxDepositEnvelopeDto } from '../api/sandbox/sandbox.dto';
import { SIGNATURE_REQUEST_EXAMPLE, SignatureVerdictEnvelopeDto } from '../api/sandbox/signature-check.dto';
import { WithdrawalEnvelopeDto } from '../api/withdrawals/withdrawal.dto';
import { PARTNER } from './accounts';
import type { RouteCase } from './route-case';
import { at, post } from './route-case';

/** Routes that exist only in the sandbox. */
export const SANDBOX_ROUTES: readonly RouteCase[] = [
  post(
    'simulate-deposit',
    'own',
    at('/api/v1/sandbox/deposits'),
    { 'account-id': PARTNER, type: 'ted', amount: '10.00', 'payer-tax-id': '529.982.247-25' },
    SandboxDepositEnvelopeDto,
  ),
  post(
    'advance-withdrawal',
    'own',
    at(`/api/v1/sandbox/withdrawals/${SAMPLE.withdrawalId}/advance`),
    undefined,
    WithdrawalEnvelopeDto,
  ),
  post(
    'issue-sandbox-certificate',
    'own',
    at('/api/v1/sandbox/reward-certificates'),
    { 'account-id': PARTNER, 'wallet-address': SAMPLE.wallet, amount: '10.00' },
    IssuedCertificateEnvelopeDto,
  ),
  post(
    'check-signature',
    'own',
    at('/api/v1/sandbox/signature-check'),
    SIGNATURE_REQUEST_EXAMPLE,
    SignatureVerdictEnvelopeDto,
  ),
  post(
    'simulate-pix-payment',
    'own',
    at('/api/v1/sandbox/pix-payments'),
    { brcode: SAMPLE.brcode, amount: '1.00', 'payer-tax-id': '529.982.247-25' },
    PixPaymentEnvelopeDto,
  ),
  post(
    'set-sandbox-pricing',
    'own',
    at('/api/v1/sandbox/pricing'),
    { rate: '5.3412', 'off-market': null },
    PricingStateEnvelopeDto,
  ),
  post('advance-clock', 'own', at('/api/v1/sandbox/clock/advance'), { seconds: 60 }, ClockEnvelopeDto),
  post(
    'decide-account-request',
    'own',
    at(`/api/v1/sandbox/account-requests/${SAMPLE.requestId}/decision`),
    { decision: 'reject' },
    AccountRequestEnvelopeDto,
  ),
];
