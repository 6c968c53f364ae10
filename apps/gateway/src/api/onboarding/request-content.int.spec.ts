import 'reflect-metadata';
import { CreateAccountRequest } from '@ponte/contracts';
import { refuse } from '@ponte/kernel';
import { codeOf } from '../../testing/use-gateway';
import { KYC_EXAMPLE, RELIANCE_EXAMPLE } from './onboarding.examples';
import type { Json } from './testing/onboarding-requests';
import { KYC, RELIANCE, address, gateway, kyc, post, useTestGateway } from './testing/onboarding-requests';

useTestGateway();

describe('an account request of the right shape', () => {
  it.each<[string, Json]>([
    [
      'texts that the rules check',
      {
        identifier: { value: '', country: 'zz' },
        'tax-residence': '',
        phone: '1'.repeat(33),
        address: { ...KYC_EXAMPLE.address, country: 'PRT', state: '', 'postal-code': '1000' },
      },
    ],
    ['a declared PEP without details', { pep: { declared: true, 'full-name': ' ' } }],
    [
      'any fields of a PEP that is not declared',
      { pep: { declared: false, 'full-name': null, role: 7, relationship: '' } },
    ],
    ['invalid wallet addresses as text', { 'external-wallets': ['0x12', ''] }],
    ['a tier of 93.5', { 'reward-tier': 93.5 }],
  ])('is checked by the rules of onboarding: %s', async (_, change) => {
    gateway.bus.on(CreateAccountRequest, () => refuse('invalid-cpf', 'judged'));
    expect(codeOf(await post(KYC, { ...kyc, ...change }))).toBe('422 invalid-cpf');
  });

  it('says that a wallet may be an address too', async () => {
    const refused = await post(KYC, { ...kyc, 'external-wallets': ['0x12', 5] });
    expect(refused.json()).toMatchObject({
      error: { code: 'invalid-type', message: '`external-wallets[1]` must be an address or an object.' },
    });
  });

  it('is never repeated in an error, and its response is not stored in clear', async () => {
    const finish = jest.spyOn(gateway.engines.edgeState, 'finish');
    const canary = 'Canary Zebedee';
    const answer = await post(KYC, {
      ...kyc,
      'first-name': canary,
      email: canary,
      document: canary,
      'reward-tier': canary,
      address: { ...address, country: canary, 'postal-code': canary },
    });
    expect(answer.body).not.toContain(canary);
    await post(RELIANCE, RELIANCE_EXAMPLE, { 'idempotency-key': 'sealed' });
    expect(finish.mock.calls.map(([, , { body }]) => body)).toEqual([
      expect.stringMatching(/^sealed:v1:gateway-answers-\d{4}-\d\d-\d\d:/),
    ]);
    finish.mockRestore();
    expect(JSON.stringify(gateway.bus.requests)).not.toMatch(/52998224725|529\.982\.247-25|Joana|Lima|joana@/);
  });
});
