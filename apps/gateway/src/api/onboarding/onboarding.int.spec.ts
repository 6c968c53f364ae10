import 'reflect-metadata';
import type { ClearKycRequest, ClearRelianceRequest } from '@ponte/contracts';
import { CreateAccountRequest, CreateRelianceRequest } from '@ponte/contracts';
import { refusal } from '@ponte/kernel';
import { HOLDER, requestRecord } from '../../testing/onboarding-fixtures';
import { PARTNER } from '../../testing/accounts';
import { SAMPLE } from '../samples';
import { codeOf } from '../../testing/use-gateway';
import { KYC_EXAMPLE, RELIANCE_EXAMPLE } from './onboarding.examples';
import {
  KYC,
  RELIANCE,
  lastPayload,
  faultsOf,
  gateway,
  opened,
  post,
  shown,
  useTestGateway,
  PERSON,
} from './testing/onboarding-requests';

useTestGateway();

describe('an account request', () => {
  it('is sealed unchanged before it leaves the gateway, and belongs to the account of the key', async () => {
    const answer = await post(KYC, {
      ...KYC_EXAMPLE,
      representative: PERSON,
      'external-wallets': [
        SAMPLE.wallet,
        {
          address: SAMPLE.wallet.toUpperCase().replace('X', 'x'),
          'custody-type': 'exchange',
          'custody-country': 'USA',
          'custodian-name': 'An Exchange',
        },
      ],
    });
    expect([answer.statusCode, shown(answer)]).toEqual([
      201,
      expect.objectContaining({
        id: SAMPLE.requestId,
        'parent-id': PARTNER,
        mode: 'kyc',
        status: 'pending',
        'review-stage': 'received',
        identifier: { value: '***.982.247-**', country: 'BRA' },
      }),
    ]);
    const payload = lastPayload(CreateAccountRequest);
    expect(Object.keys(payload)).toEqual(['parentId', 'body']);
    expect([payload['parentId'], payload['body']]).toEqual([
      PARTNER,
      expect.stringMatching(/^sealed:v1:onboarding-transit:/),
    ]);
    const clear = await opened<ClearKycRequest>(payload);
    expect(clear).toMatchObject({
      identifier: { value: '529.982.247-25', country: 'BRA' },
      rewardTier: 90,
      firstName: 'Joana',
      motherFullName: 'Maria Lima',
      externalId: 'customer-4711',
      address: { postalCode: '01310-100', line2: '', state: 'SP' },
      document: { type: 'rg', frontFileId: SAMPLE.fileId },
      liveness: { provider: 'provider-1' },
      pep: { declared: false, fullName: null, role: null, relationship: null },
      financialProfile: { monthlyIncome: 8500.5, netWorth: 120000, sourceOfFunds: ['salary'] },
      representative: {
        firstName: 'Paulo',
        taxResidence: 'bra',
        document: { backFileId: null },
        pep: { declared: true, relationship: 'business_associate' },
        powerOfAttorneyFileId: 'ev_01JD3F8M2K7Q9X4T6V8Z0A63B3',
      },
    });
    expect(clear.externalWallets).toEqual([
      { address: SAMPLE.wallet, custodyType: 'self', custodyCountry: null, custodianName: null, proof: null },
      {
        address: expect.stringMatching(/^0x[0-9A-F]{40}$/) as string,
        custodyType: 'exchange',
        custodyCountry: 'USA',
        custodianName: 'An Exchange',
        proof: null,
      },
    ]);
  });

  it('is returned unchanged with 200 when it is repeated', async () => {
    gateway.bus.on(CreateAccountRequest, async ({ parentId }) => ({
      created: false,
      request: requestRecord(parentId, await gateway.engines.personalData.seal(HOLDER, '***'), {
        status: 'active',
        reviewStage: null,
      }),
    }));
    const answer = await post(KYC, KYC_EXAMPLE);
    expect([answer.statusCode, shown(answer)['status'], shown(answer)['review-stage']]).toEqual([
      200,
      'active',
      undefined,
    ]);
  });

  it('in reliance mode has two paths, which are one operation for an idempotency key', async () => {
    const first = await post(RELIANCE, RELIANCE_EXAMPLE, { 'idempotency-key': 'r-1' });
    const again = await post('/v1/accounts/reliance', RELIANCE_EXAMPLE, { 'idempotency-key': 'r-1' });
    expect([first.statusCode, again.statusCode, again.body, again.headers['idempotency-replayed']]).toEqual([
      201,
      201,
      first.body,
      'true',
    ]);
    expect(await opened<ClearRelianceRequest>(lastPayload(CreateRelianceRequest))).toEqual({
      identifier: { value: '529.982.247-25', country: 'BRA' },
      taxDocumentType: 'cpf',
      taxResidence: 'BRA',
      kycAttestationId: 'attestation-2026-0042',
      rewardTier: 90,
      externalWallets: [],
      externalId: 'customer-4711',
    });
  });

  it('is refused with the status of the catalogue and all violations of the rules', async () => {
    const violations = [
      { path: 'identifier.value', code: 'invalid-cpf', message: 'x' },
      { path: 'address.state', code: 'state-required', message: 'y' },
    ];
    const codes: string[] = [];
    for (const error of [
      refusal('reliance-mode-parent', 'no'),
      refusal('missing-capability', 'no', 'reward-tier'),
      refusal('account-request-not-pending', 'no'),
      refusal('invalid-cpf', 'no'),
    ]) {
      gateway.bus.on(CreateAccountRequest, () => {
        throw error;
      });
      codes.push(codeOf(await post(KYC, KYC_EXAMPLE)));
    }
    expect(codes).toEqual([
      '403 reliance-mode-parent',
      '403 missing-capability',
      '422 account-request-not-pending',
      '422 invalid-cpf',
    ]);
    gateway.bus.on(CreateAccountRequest, () => {
      throw Object.assign(refusal('invalid-cpf', 'x'), { violations });
    });
    expect(faultsOf(await post(KYC, KYC_EXAMPLE))).toEqual([
      'identifier.value invalid-cpf',
      'address.state state-required',
    ]);
  });
});
