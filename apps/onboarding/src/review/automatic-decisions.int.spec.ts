import * as contracts from '@ponte/contracts';
import type { OnboardingUnderTest } from '../testing/onboarding-under-test';
import { AUDITOR, ANALYST, openParent, postReliance } from '../testing/people';
import { codes, decideAsRead, requestsOf, startWithPartner } from '../testing/requests';
import { NO_INFORMATION } from '../testing/kyc-request';

let onboarding: OnboardingUnderTest;
let parentId: string;

beforeAll(async () => {
  ({ onboarding, parentId } = await startWithPartner());
});

afterAll(() => onboarding.stop());

const { nextCpf, until, made } = requestsOf(() => ({ onboarding, parentId }));

describe('A request that may be decided automatically', () => {
  it('is approved without a review in reliance mode unless a list has a hit', async () => {
    const reliance = await openParent(onboarding, 'reliance');
    const clean = await postReliance(onboarding, reliance, nextCpf());
    expect([clean.created, clean.request.mode]).toEqual([true, 'reliance']);
    await until(clean.request.requestId, 'active', reliance);
    onboarding.vendors.screening.hits = [{ list: 'pep', entryId: '1', score: 90, matchedOn: 'x' }];
    const hit = await postReliance(onboarding, reliance, nextCpf());
    await until(hit.request.requestId, 'manual-review', reliance);
    // The partner keeps the person's data: it can only be asked for documents and notes, and anything else is refused.
    const { requestId } = hit.request;
    const ask = (items: contracts.InformationItem[]) =>
      decideAsRead(onboarding, contracts.AskInformation, { requestId, staff: ANALYST, items, issues: [], note: null });
    expect(await codes(ask(['document']))).toEqual(['invalid-enum-value items']);
    await ask(['other']);
    const send = async (change: Partial<contracts.ClearInformation>) =>
      onboarding.ask(contracts.ProvideInformation, {
        parentId: reliance,
        requestId,
        body: await contracts.sealRequest(onboarding.engines.personalData, { ...NO_INFORMATION, ...change }),
      });
    const home = {
      postalCode: '01310-100',
      line1: 'Rua A 1',
      line2: '',
      city: 'São Paulo',
      state: 'SP',
      country: 'BRA',
    };
    expect(await codes(send({ address: home, liveness: { id: 'session', provider: 'provider-1' } }))).toEqual([
      'unknown-field address',
      'unknown-field liveness',
    ]);
    await send({ note: 'the attestation was renewed' });
    await until(requestId, 'manual-review', reliance);
    onboarding.vendors.screening.hits = [];
  });

  it('identifies a person in reliance mode by a national id in any notation, which differs from a passport of that number', async () => {
    const reliance = await openParent(onboarding, 'reliance');
    const post = (value: string, taxDocumentType: 'passport' | 'national-id') =>
      postReliance(onboarding, reliance, '', {
        identifier: { value, country: 'USA' },
        taxResidence: 'USA',
        taxDocumentType,
      });
    const first = await post('123-45-6789', 'national-id');
    expect(await onboarding.engines.personalData.open(first.request.maskedIdentifier)).toBe('***789');
    expect(await post('123 45 6789', 'national-id')).toMatchObject({
      created: false,
      request: { requestId: first.request.requestId },
    });
    const report = async () => {
      const identifier = await contracts.sealRequest(onboarding.engines.personalData, {
        value: '123456789',
        country: 'USA',
      });
      const found = await onboarding.ask(contracts.OpenPrivacyReport, {
        person: { kind: 'identifier', identifier },
        staff: AUDITOR,
        purpose: 'privacy-request',
      });
      return found?.holdings.map(({ id }) => id);
    };
    await until(first.request.requestId, 'active', reliance);
    expect(await report()).toContain(first.request.requestId);
    const passport = await post('123456789', 'passport');
    expect(passport.created).toBe(true);
    await until(passport.request.requestId, 'active', reliance);
    expect(await report()).toContain(passport.request.requestId);
    expect(await codes(post('12_34', 'national-id'))).toEqual(['invalid-national-id identifier.value']);
  });

  it.each([
    [900, 'active'],
    [901, 'rejected'],
    [902, 'information-requested'],
    [903, 'manual-review'],
  ])('ends for a sandbox CPF that starts with %i as %s', async (first, end) => {
    const { requestId } = await made({ rewardTier: 97 }, nextCpf(first));
    await until(requestId, end);
  });

  it.each([
    [900, 'active'],
    [901, 'rejected'],
    [902, 'information-requested'],
  ])('with a sandbox CPF of %i ignores all findings and ends as %s', async (first, end) => {
    onboarding.vendors.screening.hits = [{ list: 'pep', entryId: 'e', score: 100, matchedOn: 'a name' }];
    onboarding.vendors.liveness.outcome = first === 901 ? 'pending' : 'failed';
    const liveness = { id: `session-of-many-${first}`, provider: 'provider-1' };
    await made({ liveness });
    const everything = {
      rewardTier: 97 as const,
      liveness,
      pep: { declared: true, fullName: 'Joana Lima', role: 'mayor', relationship: 'self' as const },
    };
    const { requestId } = await made(everything, nextCpf(first));
    await until(requestId, end);
    onboarding.vendors.screening.hits = [];
    onboarding.vendors.liveness.outcome = 'passed';
  });
});
