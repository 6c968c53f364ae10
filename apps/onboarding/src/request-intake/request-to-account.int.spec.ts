import * as contracts from '@ponte/contracts';
import { derivedId } from '@ponte/kernel';
import type { OnboardingUnderTest } from '../testing/onboarding-under-test';
import { ANALYST, bySelf, openParent, post, postReliance, requestFor, upload } from '../testing/people';
import { approveAsRead, codes, requestsOf, startWithPartner } from '../testing/requests';

let onboarding: OnboardingUnderTest;
let parentId: string;

beforeAll(async () => {
  ({ onboarding, parentId } = await startWithPartner());
});

afterAll(() => onboarding.stop());

const { nextCpf, get, until, made } = requestsOf(() => ({ onboarding, parentId }));

const approve = (requestId: string, staff: contracts.StaffActor = ANALYST) =>
  approveAsRead(onboarding, requestId, staff);

const address = (fill: number): string => `0x${fill.toString(16).padStart(40, '0')}`;

describe('An account request', () => {
  it('is received, screened, reviewed, approved and provisioned, and becomes an active sub-account that may use its wallets', async () => {
    const cpf = nextCpf();
    const wallet = '0x52908400098527886E0F7030069857D2E4169EE7';
    const request = await requestFor(onboarding, parentId, cpf, {
      externalWallets: [bySelf(wallet)],
      externalId: 'customer-1',
    });
    const { created, request: record } = await post(onboarding, parentId, request);
    expect([created, record.status, record.reviewStage, record.mode, record.externalId]).toEqual([
      true,
      'pending',
      'received',
      'kyc',
      'customer-1',
    ]);
    expect(record.requirements).toEqual({
      complete: ['personal-data', 'address', 'document'],
      pending: ['liveness', 'screening', 'review'],
      missing: [],
      issues: [],
    });
    expect(await onboarding.engines.personalData.open(record.maskedIdentifier)).toBe(
      `***.${cpf.slice(3, 6)}.${cpf.slice(6, 9)}-**`,
    );
    expect(await until(record.requestId, 'manual-review')).toMatchObject({ requirements: { pending: ['review'] } });

    await onboarding.ask(contracts.ClaimReview, { requestId: record.requestId, staff: ANALYST, takeOver: false });
    expect(await approve(record.requestId)).toMatchObject({
      status: expect.stringMatching(/approved|active/) as string,
    });
    const active = await until(record.requestId, 'active');
    expect(active).toMatchObject({
      accountId: record.accountId,
      createdAt: record.createdAt,
      requirements: { pending: [], missing: [] },
    });
    const account = await onboarding.ask(contracts.GetAccount, { accountId: record.accountId });
    expect(account).toMatchObject({
      parentId,
      status: 'active',
      externalId: 'customer-1',
      taxIdFingerprint: onboarding.engines.personalData.fingerprint('tax-id', cpf),
    });
    const holder = await onboarding.ask(contracts.GetHolder, { accountId: record.accountId });
    expect(await onboarding.engines.personalData.open((holder as contracts.HolderRecord).legalName)).toBe('Joana Lima');
    expect(await onboarding.engines.personalData.open((holder as contracts.HolderRecord).taxId)).toBe(cpf);
    expect(onboarding.vendors.provisioned).toContain(record.accountId);
    expect((await onboarding.ask(contracts.GetWhitelistedWallets, { accountId: record.accountId })).wallets).toEqual([
      { address: wallet.toLowerCase(), fx: false },
    ]);
    // The tier at which a reward certificate of the account is issued. An account that staff opened has no tier.
    const tiers = await Promise.all(
      [record.accountId, parentId, 'x'].map((accountId) => onboarding.ask(contracts.GetRewardTier, { accountId })),
    );
    expect(tiers).toEqual([{ rewardTier: 90 }, { rewardTier: null }, { rewardTier: null }]);
    const again = await post(onboarding, parentId, request);
    expect(again).toEqual({ created: false, request: active });
  });

  it('is checked in order: permission, then the person, then the rules', async () => {
    const cpf = nextCpf();
    const request = await requestFor(onboarding, parentId, cpf);
    const reliance = await openParent(onboarding, 'reliance');
    const bare = await openParent(onboarding, 'kyc', []);
    expect(await codes(post(onboarding, reliance, { ...request, dateOfBirth: '2020-01-01' }))).toEqual([
      'reliance-mode-parent ',
    ]);
    expect(await codes(post(onboarding, bare, { ...request, dateOfBirth: '2020-01-01' }))).toEqual([
      'missing-capability reward-tier',
    ]);
    expect(await codes(postReliance(onboarding, parentId, cpf))).toEqual(['kyc-mode-parent ']);
    const { request: first } = await post(onboarding, parentId, request);
    // The person already has a request, so the rules are no longer checked.
    const { created, request: same } = await post(onboarding, parentId, {
      ...request,
      identifier: { value: cpf, country: 'bra' },
      dateOfBirth: '2020-01-01',
    });
    expect([created, same.requestId]).toEqual([false, first.requestId]);
    expect(
      await codes(
        post(onboarding, parentId, {
          ...request,
          identifier: { value: nextCpf(), country: 'BRA' },
          dateOfBirth: '2020-01-01',
        }),
      ),
    ).toEqual(['holder-under-age date-of-birth']);
  });

  it('writes nothing when it is refused', async () => {
    const request = await requestFor(onboarding, parentId, nextCpf(), { externalWallets: [bySelf(address(7))] });
    const foreign = await upload(onboarding, await openParent(onboarding));
    const written = async () =>
      (await onboarding.events()).filter(
        ({ stream }) => /^(accountRequest|reservation)-/.test(stream) && !settled.has(stream),
      );
    const settled = new Set((await onboarding.events()).map(({ stream }) => stream));
    expect(
      await codes(post(onboarding, parentId, { ...request, document: { ...request.document, frontFileId: foreign } })),
    ).toEqual(['file-not-found document.front-file-id']);
    expect(
      await codes(post(onboarding, parentId, { ...request, identifier: { value: '52998224726', country: 'BRA' } })),
    ).toEqual(['invalid-cpf identifier.value']);
    expect(
      await codes(post(onboarding, parentId, { ...request, pep: { ...request.pep, declared: true } })),
    ).toHaveLength(3);
    expect(await written()).toEqual([]);
    await post(onboarding, parentId, request);
    expect(await written()).not.toEqual([]);
  });

  it('is treated as not existing for another parent', async () => {
    const { requestId } = await made();
    const other = await openParent(onboarding);
    expect(await get(requestId, other)).toBeNull();
    expect(await get('../x')).toBeNull();
    for (const ask of [
      onboarding.ask(contracts.CancelAccountRequest, { parentId: other, requestId }),
      onboarding.ask(contracts.CancelAccountRequest, { parentId, requestId: derivedId('unknown') }),
      onboarding.ask(contracts.DecideInSandbox, {
        parentId: other,
        requestId,
        decision: 'approve',
        reason: null,
        items: [],
      }),
    ])
      expect(await codes(ask)).toEqual(['account-request-not-found id']);
    const { items } = await onboarding.ask(contracts.ListAccountRequests, {
      parentId: other,
      status: null,
      externalId: null,
      page: { limit: 50, cursor: null, createdFrom: null, createdTo: null },
    });
    expect(items).toEqual([]);
  });
});
