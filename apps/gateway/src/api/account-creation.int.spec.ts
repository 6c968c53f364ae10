import 'reflect-metadata';
import type { AccountRecord, ClearRelianceRequest } from '@ponte/contracts';
import { CreateRelianceRequest, openInTransit } from '@ponte/contracts';
import type { Sealed } from '@ponte/event-sourcing';
import type { Violation } from '@ponte/kernel';
import { refuse, Refusal } from '@ponte/kernel';
import { KEY } from '../testing/api-keys';
import { PARTNER, STRANGER } from '../testing/accounts';
import { codeOf } from '../testing/use-gateway';
import { SAMPLE } from './samples';
import { as, lastRequest, faultsIn, gateway, get, post, useTestGateway } from '../testing/route-requests';

useTestGateway();

describe('POST /api/v1/accounts', () => {
  const BODY = {
    'tax-id': '529.982.247-25',
    'tax-document-type': 'cpf',
    'tax-residence': 'BRA',
    'kyc-attestation-id': 'a-1',
    'reward-tier': 90,
    'external-wallets': [SAMPLE.wallet],
  };
  const CREATED = {
    id: SAMPLE.accountId,
    alias: 'Account 5c2a1e8f',
    status: 'pending',
    'parent-id': PARTNER,
    'created-at': SAMPLE.time,
  };

  it('makes a reliance request of another shape: 201 with the account, 200 when the request already exists', async () => {
    const answer = await post('/api/v1/accounts', BODY);
    expect([answer.statusCode, answer.json()]).toEqual([201, { account: CREATED }]);
    const sent = await openInTransit<ClearRelianceRequest>(
      gateway.engines.personalData,
      lastRequest(CreateRelianceRequest)?.payload['body'] as Sealed,
    );
    expect(sent).toMatchObject({
      identifier: { value: '529.982.247-25', country: 'BRA' },
      taxDocumentType: 'cpf',
      kycAttestationId: 'a-1',
      rewardTier: 90,
      externalWallets: [{ address: SAMPLE.wallet }],
    });
    await post('/api/v1/accounts', {
      ...BODY,
      'tax-id': 'AB123456',
      'tax-document-type': 'passport',
      'tax-residence': 'GBR',
    });
    const foreigner = await openInTransit<ClearRelianceRequest>(
      gateway.engines.personalData,
      lastRequest(CreateRelianceRequest)?.payload['body'] as Sealed,
    );
    expect(foreigner.identifier).toEqual({ value: 'AB123456', country: 'GBR' });
    const { handlers } = gateway.bus as unknown as {
      handlers: Map<string, (payload: unknown) => Promise<{ request: object }>>;
    };
    const usual = handlers.get(CreateRelianceRequest.pattern) as (payload: unknown) => Promise<{ request: object }>;
    gateway.bus.on(CreateRelianceRequest, async (payload) => ({ ...(await usual(payload)), created: false }) as never);
    expect((await post('/api/v1/accounts', BODY)).statusCode).toBe(200);
    gateway.bus.on(CreateRelianceRequest, () => refuse('invalid-cpf', 'wrong check digits', 'identifier.value'));
    expect(faultsIn(await post('/api/v1/accounts', BODY))).toEqual(['tax-id invalid-cpf']);
    handlers.set(CreateRelianceRequest.pattern, usual);
  });

  it('requires the capability manage-holders and the fields of its own shape', async () => {
    expect(codeOf(await post('/api/v1/accounts', BODY, as(KEY.stranger)))).toBe('201');
    const stranger = gateway.fixtures.accounts.get(STRANGER) as AccountRecord;
    gateway.fixtures.accounts.set(STRANGER, { ...stranger, capabilities: [] });
    expect(codeOf(await post('/api/v1/accounts', BODY, as(KEY.stranger)))).toBe('403 missing-capability');
    gateway.fixtures.accounts.set(STRANGER, stranger);
    expect(faultsIn(await post('/api/v1/accounts', { identifier: {}, 'reward-tier': 90 }))).toEqual([
      'tax-id missing-field',
      'tax-document-type missing-field',
      'tax-residence missing-field',
      'kyc-attestation-id missing-field',
      'identifier unknown-field',
    ]);
  });

  it('lets the parent read the account while it is being created, but returns no funding code before it is open', async () => {
    expect((await get(`/api/v1/accounts/${SAMPLE.accountId}`)).json()).toEqual({ account: CREATED });
    expect(codeOf(await get(`/api/v1/accounts/${SAMPLE.accountId}`, KEY.stranger))).toBe('403 account-access-denied');
    expect(codeOf(await get(`/api/v1/accounts/${SAMPLE.accountId}/deposits/pix`))).toBe('403 account-not-active');
  });

  it('names its own fields in violations of the rules', async () => {
    const detailsFor = async (...violations: readonly Violation[]) => {
      gateway.bus.on(CreateRelianceRequest, () => {
        throw new Refusal(violations);
      });
      const { error } = (await post('/api/v1/accounts', BODY)).json<{ error: { details: Violation[] } }>();
      return error.details.map(({ path, message }) => `${path}: ${message}`);
    };
    const message = 'must be that of another form';
    expect(
      await detailsFor(
        { code: 'identifier-country-mismatch', path: 'identifier.country', message },
        { code: 'document-type-not-allowed', path: 'tax-document-type', message },
        { code: 'invalid-cpf', path: 'identifier.value', message: 'must be a CPF' },
      ),
    ).toEqual([
      'tax-id: `tax-id` must be a CPF if and only if tax-residence is BRA.',
      'tax-document-type: `tax-document-type` must be cpf if and only if tax-residence is BRA.',
      'tax-id: `tax-id` must be a CPF.',
    ]);
    const unknown = { code: 'invalid-country', message: 'must be a country' } as const;
    expect(await detailsFor({ ...unknown, path: 'identifier.country' }, { ...unknown, path: 'tax-residence' })).toEqual(
      ['tax-residence: `tax-residence` must be a country.'],
    );
  });
});
