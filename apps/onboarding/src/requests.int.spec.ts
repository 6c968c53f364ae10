import * as contracts from '@ponte/contracts';
import type { Refusal } from '@ponte/kernel';
import { derivedId } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { OnboardingUnderTest } from './testing/onboarding-under-test';
import {
  AUDITOR,
  ANALYST,
  APPROVER,
  bySelf,
  cpfOf,
  openParent,
  OPERATOR,
  OTHER_APPROVER,
  post,
  postReliance,
  requestFor,
  upload,
} from './testing/people';

let onboarding: OnboardingUnderTest;
let parentId: string;
let nine = 100_000_000;
const nextCpf = (): string => cpfOf((nine += 1));

beforeAll(async () => {
  onboarding = await OnboardingUnderTest.start();
  parentId = await openParent(onboarding);
});
afterAll(() => onboarding.stop());

const refusalOf = (promise: Promise<unknown>): Promise<Refusal> =>
  promise.then(
    () => {
      throw new Error('not refused');
    },
    (error: Refusal) => error,
  );
const codes = async (promise: Promise<unknown>): Promise<string[]> =>
  (await refusalOf(promise)).violations.map(({ code, path }) => `${code} ${path}`);
const get = (requestId: string, parent = parentId) =>
  onboarding.ask(contracts.GetAccountRequest, { parentId: parent, requestId });
const until = (requestId: string, standing: string, parent = parentId) =>
  eventually(async () => {
    const record = await get(requestId, parent);
    expect(record?.reviewStage ?? record?.status).toBe(standing);
    return record as contracts.AccountRequestRecord;
  });
const stage = (requestId: string, standing: string) => until(requestId, standing);
const made = async (change: Partial<contracts.ClearKycRequest> = {}, cpf = nextCpf()) =>
  (await post(onboarding, parentId, await requestFor(onboarding, parentId, cpf, change))).request;
const waiting = async (change: Partial<contracts.ClearKycRequest> = {}) =>
  stage((await made(change)).requestId, 'manual-review');
const approve = (requestId: string, staff: contracts.StaffActor = ANALYST) =>
  onboarding.ask(contracts.ApproveReview, { requestId, staff, note: null });
const address = (fill: number): string => `0x${fill.toString(16).padStart(40, '0')}`;
const secret = (text: string) => contracts.sealRequest(onboarding.engines.personalData, { secret: text });

describe('from a request to an account', () => {
  it('is received, screened, reviewed, approved, provisioned and active; the account is a sub-account that may use its wallets', async () => {
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
    expect(await stage(record.requestId, 'manual-review')).toMatchObject({ requirements: { pending: ['review'] } });

    await onboarding.ask(contracts.ClaimReview, { requestId: record.requestId, staff: ANALYST, takeOver: false });
    expect(await approve(record.requestId)).toMatchObject({
      status: expect.stringMatching(/approved|active/) as string,
    });
    const active = await stage(record.requestId, 'active');
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
    // What a reward certificate of the account is issued at; an account that staff opened has no tier of its own.
    const tiers = await Promise.all(
      [record.accountId, parentId, 'x'].map((accountId) => onboarding.ask(contracts.GetRewardTier, { accountId })),
    );
    expect(tiers).toEqual([{ rewardTier: 90 }, { rewardTier: null }, { rewardTier: null }]);
    const again = await post(onboarding, parentId, request);
    expect(again).toEqual({ created: false, request: active });
  });

  it('keeps the order of checks: permission, then the person, then the rules', async () => {
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
    // The person is there, so the rules are not judged any more.
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

  it('writes nothing when it refuses', async () => {
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

  it('tells nothing of a request to another parent', async () => {
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

describe('one person, one request', () => {
  it('100 parallel posts of one person give one request, 200 for the others', async () => {
    const request = await requestFor(onboarding, parentId, nextCpf(), { externalWallets: [bySelf(address(100))] });
    const answers = await Promise.all(Array.from({ length: 100 }, () => post(onboarding, parentId, request)));
    expect(new Set(answers.map((one) => one.request.requestId)).size).toBe(1);
    expect(answers.filter(({ created }) => created)).toHaveLength(1);
    const requested = (await onboarding.events()).filter(
      ({ type, data }) =>
        type === 'AccountRequested' &&
        (data as contracts.AccountRequested['data']).externalWallets.some((one) => one.address === address(100)),
    );
    expect(requested).toHaveLength(1);
  });

  it('the same number of another country, and the same person under another parent, are other requests', async () => {
    const number = 'PA123456';
    const base = await requestFor(onboarding, parentId, nextCpf());
    const abroad = (country: string) => ({
      ...base,
      identifier: { value: number, country },
      taxResidence: country,
      document: { ...base.document, type: 'passport' as const },
    });
    const other = await openParent(onboarding);
    const one = await post(onboarding, parentId, abroad('USA'));
    const two = await post(onboarding, parentId, abroad('ARG'));
    const three = await post(onboarding, other, {
      ...abroad('USA'),
      document: { type: 'passport', frontFileId: await upload(onboarding, other), backFileId: null },
    });
    expect([one, two, three].map(({ created }) => created)).toEqual([true, true, true]);
    expect(new Set([one, two, three].map(({ request }) => request.requestId)).size).toBe(3);
    expect(
      (await post(onboarding, parentId, { ...abroad('usa'), identifier: { value: 'pa 123456', country: 'usa' } }))
        .request.requestId,
    ).toBe(one.request.requestId);
  });

  it('a wallet that many requests name at once goes to one of them and the others are refused; it is free again when that request is rejected', async () => {
    const wanted = address(200);
    const people = await Promise.all(
      Array.from({ length: 20 }, () =>
        requestFor(onboarding, parentId, nextCpf(), { externalWallets: [bySelf(wanted)] }),
      ),
    );
    const answers = await Promise.allSettled(people.map((one) => post(onboarding, parentId, one)));
    const won = answers.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(won.map(({ created }) => created)).toEqual([true]);
    for (const one of answers)
      if (one.status === 'rejected')
        expect((one.reason as Refusal).violations.map(({ code, path }) => `${code} ${path}`)).toEqual([
          'external-wallet-already-registered external-wallets[0]',
        ]);
    const winner = (won[0] as contracts.RequestedAccount).request.requestId;
    await onboarding.ask(contracts.CancelAccountRequest, { parentId, requestId: winner });
    const loser = people[answers.findIndex((one) => one.status === 'rejected')] as contracts.ClearKycRequest;
    expect(
      (
        await post(onboarding, parentId, {
          ...loser,
          externalWallets: [bySelf(wanted.toUpperCase().replace('0X', '0x'))],
        })
      ).created,
    ).toBe(true);
  });

  it('what a refused post reserved it gives back, though its twin shared it', async () => {
    const taken = address(300);
    await made({ externalWallets: [bySelf(taken)] });
    const request = await requestFor(onboarding, parentId, nextCpf(), { externalWallets: [bySelf(address(301))] });
    const [good, bad] = await Promise.allSettled([
      post(onboarding, parentId, request),
      post(onboarding, parentId, {
        ...request,
        externalWallets: [bySelf(address(301)), bySelf(address(302)), bySelf(taken)],
      }),
    ]);
    expect(good.status === 'fulfilled' && good.value.request.status).toBe('pending');
    expect(bad.status === 'fulfilled' ? bad.value.created : (bad.reason as Refusal).code).toBe(
      bad.status === 'fulfilled' ? false : 'external-wallet-already-registered',
    );
    await made({ externalWallets: [bySelf(address(302))] });
    expect(await codes(made({ externalWallets: [bySelf(address(301))] }))).toEqual([
      'external-wallet-already-registered external-wallets[0]',
    ]);
  });

  it.each(['cancelled', 'rejected'])(
    'a %s request frees the person: the next one has another id and another account',
    async (end) => {
      const cpf = nextCpf();
      const request = await requestFor(onboarding, parentId, cpf);
      const first = (await post(onboarding, parentId, request)).request;
      if (end === 'cancelled')
        await onboarding.ask(contracts.CancelAccountRequest, { parentId, requestId: first.requestId });
      else
        await onboarding.ask(contracts.DecideInSandbox, {
          parentId,
          requestId: first.requestId,
          decision: 'reject',
          reason: 'document-quality',
          items: [],
        });
      expect(await get(first.requestId)).toMatchObject({
        status: end,
        reason: end === 'rejected' ? 'document-quality' : null,
      });
      const { created, request: second } = await post(onboarding, parentId, request);
      expect([created, second.requestId === first.requestId, second.accountId === first.accountId]).toEqual([
        true,
        false,
        false,
      ]);
    },
  );
});

describe('review by compliance', () => {
  it('wants two different approvers for PEP, high risk, a representative or tier 97', async () => {
    const pep = { declared: true, fullName: 'Joana Lima', role: 'mayor', relationship: 'self' as const };
    for (const change of [
      { pep },
      { rewardTier: 97 as const },
      {
        financialProfile: {
          sector: 'gambling' as const,
          currency: 'BRL' as const,
          monthlyIncome: 1,
          netWorth: null,
          sourceOfFunds: null,
        },
      },
    ]) {
      const { requestId } = await waiting(change);
      expect(await codes(approve(requestId, ANALYST))).toEqual(['role-not-allowed ']);
      expect(await approve(requestId, APPROVER)).toMatchObject({
        reviewStage: 'manual-review',
        approvals: 1,
        fourEyes: true,
        assignedTo: null,
      });
      expect(await codes(approve(requestId, APPROVER))).toEqual(['second-approver-required id']);
      await approve(requestId, OTHER_APPROVER);
      await stage(requestId, 'active');
      expect(await approve(requestId, OTHER_APPROVER)).toMatchObject({ status: 'active' });
    }
  });

  it('is claimed by one; an approver may take it over; escalated it is for approvers; operators have no part in it', async () => {
    const { requestId } = await waiting();
    const claim = (staff: contracts.StaffActor, takeOver = false) =>
      onboarding.ask(contracts.ClaimReview, { requestId, staff, takeOver });
    expect(await codes(claim(OPERATOR))).toEqual(['role-not-allowed ']);
    expect((await claim(ANALYST)).assignedTo).toBe(ANALYST.staffId);
    expect(await codes(claim(APPROVER))).toEqual(['review-claimed id']);
    expect(await codes(approve(requestId, APPROVER))).toEqual(['review-claimed id']);
    expect((await claim(APPROVER, true)).assignedTo).toBe(APPROVER.staffId);
    expect(await codes(claim(ANALYST, true))).toEqual(['review-claimed id']);
    expect(
      (
        await onboarding.ask(contracts.EscalateReview, {
          requestId,
          staff: APPROVER,
          note: await secret('see the note'),
        })
      ).escalated,
    ).toBe(true);
    expect(await codes(approve(requestId, ANALYST))).toEqual(['role-not-allowed ']);
    expect(
      await codes(
        onboarding.ask(contracts.RejectReview, { requestId, staff: APPROVER, reason: 'nonsense' as never, note: null }),
      ),
    ).toEqual(['invalid-enum-value reason']);
    await onboarding.ask(contracts.RejectReview, { requestId, staff: APPROVER, reason: 'sanctions', note: null });
    const record = await get(requestId);
    expect(record).toMatchObject({
      status: 'rejected',
      reason: 'compliance',
      requirements: { issues: ['compliance'] },
    });
    expect(JSON.stringify(record)).not.toContain('sanctions');
    expect(await codes(approve(requestId, APPROVER))).toEqual(['review-not-open id']);
  });

  it('asks for information, which the same rules judge, and screens again what comes', async () => {
    const { requestId } = await waiting();
    await onboarding.ask(contracts.AskInformation, {
      requestId,
      staff: ANALYST,
      items: ['document', 'address'],
      issues: ['document-quality'],
      note: null,
    });
    const asked = await get(requestId);
    expect(asked).toMatchObject({
      reviewStage: 'information-requested',
      requirements: { missing: ['document', 'address'], issues: ['document-quality'] },
    });
    const send = async (change: Partial<contracts.ClearInformation>) =>
      onboarding.ask(contracts.ProvideInformation, {
        parentId,
        requestId,
        body: await contracts.sealRequest(onboarding.engines.personalData, {
          address: null,
          document: null,
          liveness: null,
          representativeAddress: null,
          representativeDocument: null,
          powerOfAttorneyFileId: null,
          otherFileIds: [],
          note: null,
          ...change,
        }),
      });
    expect(await codes(send({}))).toEqual(['missing-field ']);
    expect(
      await codes(
        send({ document: { type: 'rg', frontFileId: 'ev_NONE', backFileId: null }, powerOfAttorneyFileId: 'ev_NONE' }),
      ),
    ).toEqual([
      'back-file-required document.back-file-id',
      'unknown-field power-of-attorney-file-id',
      'file-not-found document.front-file-id',
      'file-not-found power-of-attorney-file-id',
    ]);
    const file = await upload(onboarding, parentId);
    await send({ document: { type: 'cnh', frontFileId: file, backFileId: null }, note: 'a better picture' });
    expect(await codes(send({ note: 'again' }))).toEqual(['information-not-requested id']);
    await stage(requestId, 'manual-review');
    const reviewed = await onboarding.ask(contracts.OpenReviewCase, {
      requestId,
      staff: ANALYST,
      purpose: 'review',
      note: null,
    });
    expect(reviewed?.item.causes).toContain('information-provided');
    expect(reviewed?.files.map(({ fileId }) => fileId)).toContain(file);
    expect(
      await Promise.all((reviewed?.notes ?? []).map(({ note }) => onboarding.engines.personalData.open(note))),
    ).toEqual(['a better picture']);
  });

  it('sends hits and failed liveness to people, with what was compared sealed', async () => {
    onboarding.vendors.screening.hits = [
      { list: 'un-consolidated', entryId: 'QDi.001', score: 93, matchedOn: 'JOANA LIMAH' },
    ];
    onboarding.vendors.liveness.outcome = 'failed';
    const record = await waiting();
    onboarding.vendors.screening.hits = [];
    onboarding.vendors.liveness.outcome = 'passed';
    const reviewed = await onboarding.ask(contracts.OpenReviewCase, {
      requestId: record.requestId,
      staff: APPROVER,
      purpose: 'review',
      note: null,
    });
    expect(reviewed?.item.causes).toEqual(['screening-hit', 'liveness-failed', 'four-eyes']);
    expect(
      reviewed?.checklist
        .filter(({ check, outcome }) => outcome === 'attention' && check !== 'duplicates')
        .map(({ check }) => check),
    ).toEqual(['screening', 'liveness']);
    expect(
      await onboarding.engines.personalData.open(reviewed?.screening[0]?.hits[0]?.match as `sealed:v1:${string}`),
    ).toBe('JOANA LIMAH');
  });

  it('shows staff a liveness session that another person has named; the same person may name theirs again, under another partner too', async () => {
    const liveness = { id: 'session-of-one-face', provider: 'provider-1' };
    const cause = async (requestId: string) => {
      const reviewed = await onboarding.ask(contracts.OpenReviewCase, {
        requestId,
        staff: APPROVER,
        purpose: 'review',
        note: null,
      });
      return [
        reviewed?.item.causes,
        reviewed?.checklist.find(({ check }) => check === 'liveness')?.outcome,
        reviewed?.livenessSharedWith,
      ];
    };
    const cpf = nextCpf();
    const first = await stage((await made({ liveness }, cpf)).requestId, 'manual-review');
    expect(await cause(first.requestId)).toEqual([['standard'], 'passed', []]);
    await onboarding.ask(contracts.AskInformation, {
      requestId: first.requestId,
      staff: ANALYST,
      items: ['liveness'],
      issues: [],
      note: null,
    });
    const again = {
      address: null,
      document: null,
      liveness,
      representativeAddress: null,
      representativeDocument: null,
      powerOfAttorneyFileId: null,
      otherFileIds: [],
      note: null,
    };
    await onboarding.ask(contracts.ProvideInformation, {
      parentId,
      requestId: first.requestId,
      body: await contracts.sealRequest(onboarding.engines.personalData, again),
    });
    await stage(first.requestId, 'manual-review');
    const other = await openParent(onboarding);
    const { request: elsewhere } = await post(
      onboarding,
      other,
      await requestFor(onboarding, other, cpf, { liveness }),
    );
    await until(elsewhere.requestId, 'manual-review', other);
    expect([await cause(first.requestId), await cause(elsewhere.requestId)]).toEqual([
      [['information-provided'], 'passed', []],
      [['standard'], 'passed', []],
    ]);

    const second = await waiting({ liveness });
    expect(await cause(second.requestId)).toEqual([
      ['liveness-shared', 'four-eyes'],
      'attention',
      [first.requestId, elsewhere.requestId],
    ]);
    // Approvers who had their results already are notified, and the case needs four eyes as well.
    await eventually(async () =>
      expect(await cause(first.requestId)).toEqual([
        ['information-provided', 'liveness-shared', 'four-eyes'],
        'attention',
        [second.requestId],
      ]),
    );
    await eventually(async () =>
      expect((await cause(elsewhere.requestId))[0]).toEqual(['liveness-shared', 'four-eyes']),
    );
    const { items } = await onboarding.ask(contracts.ListReviewQueue, {
      filters: { ...contracts.NO_QUEUE_FILTERS, causes: ['liveness-shared'] },
      order: 'oldest',
      limit: 50,
      cursor: null,
    });
    const flagged = items.map(({ requestId }) => requestId);
    expect([first, elsewhere, second].map(({ requestId }) => flagged.includes(requestId))).toEqual([true, true, true]);
    // A CPF of the sandbox keeps its outcome, and another provider's session of the same name is another session.
    await stage((await made({ liveness }, cpfOf(900_111_222))).requestId, 'active');
    expect(await cause((await waiting({ liveness: { ...liveness, provider: 'provider-2' } })).requestId)).toEqual([
      ['standard'],
      'passed',
      [],
    ]);
  });

  it('a word about a session that two people wait for reaches both, and both come to review with it', async () => {
    onboarding.vendors.liveness.outcome = 'pending';
    const liveness = { id: 'session-that-both-wait-for', provider: 'provider-1' };
    const both = [(await made({ liveness })).requestId, (await made({ liveness })).requestId];
    await eventually(async () =>
      expect(
        (await onboarding.events()).filter(
          ({ type, data }) => type === 'LivenessRecorded' && both.includes((data as { requestId: string }).requestId),
        ),
      ).toHaveLength(2),
    );
    for (const requestId of both)
      await eventually(async () =>
        expect(
          (await onboarding.events()).filter(
            ({ type, data }) => type === 'ScreeningRecorded' && (data as { requestId: string }).requestId === requestId,
          ),
        ).toHaveLength(1),
      );
    onboarding.vendors.liveness.outcome = 'passed';
    expect(
      await onboarding.ask(contracts.RecordLiveness, {
        provider: 'provider-1',
        sessionId: await secret(liveness.id),
        providerEventId: 'word',
        outcome: 'passed',
        decidedAt: '2026-11-21T10:00:00.000Z',
      }),
    ).toEqual({ known: true });
    for (const requestId of both) {
      await stage(requestId, 'manual-review');
      const reviewed = await onboarding.ask(contracts.OpenReviewCase, {
        requestId,
        staff: APPROVER,
        purpose: 'review',
        note: null,
      });
      expect([reviewed?.item.causes, reviewed?.liveness?.outcome, reviewed?.livenessSharedWith]).toEqual([
        ['liveness-shared', 'four-eyes'],
        'passed',
        both.filter((one) => one !== requestId),
      ]);
    }
  });

  it('reliance is approved by itself unless a list has a hit', async () => {
    const reliance = await openParent(onboarding, 'reliance');
    const clean = await postReliance(onboarding, reliance, nextCpf());
    expect([clean.created, clean.request.mode]).toEqual([true, 'reliance']);
    await until(clean.request.requestId, 'active', reliance);
    onboarding.vendors.screening.hits = [{ list: 'pep', entryId: '1', score: 90, matchedOn: 'x' }];
    const hit = await postReliance(onboarding, reliance, nextCpf());
    await until(hit.request.requestId, 'manual-review', reliance);
    // The partner keeps what it knows of the person: it is asked for papers and words, and nothing else is taken.
    const { requestId } = hit.request;
    const ask = (items: contracts.InformationItem[]) =>
      onboarding.ask(contracts.AskInformation, { requestId, staff: ANALYST, items, issues: [], note: null });
    expect(await codes(ask(['document']))).toEqual(['invalid-enum-value items']);
    await ask(['other']);
    const nothing: contracts.ClearInformation = {
      address: null,
      document: null,
      liveness: null,
      representativeAddress: null,
      representativeDocument: null,
      powerOfAttorneyFileId: null,
      otherFileIds: [],
      note: null,
    };
    const send = async (change: Partial<contracts.ClearInformation>) =>
      onboarding.ask(contracts.ProvideInformation, {
        parentId: reliance,
        requestId,
        body: await contracts.sealRequest(onboarding.engines.personalData, { ...nothing, ...change }),
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

  it('reliance: a national id is one however it is written, is no passport of the same number, and its person is found by it', async () => {
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
  ])('sandbox: a CPF that starts %i ends as %s', async (first, end) => {
    const { requestId } = await made({ rewardTier: 97 }, cpfOf(first * 1_000_000 + ((nine += 1) % 1_000_000)));
    await stage(requestId, end);
  });

  it.each([
    [900, 'active'],
    [901, 'rejected'],
    [902, 'information-requested'],
  ])('sandbox: %i overrides everything that is found, and ends as %s', async (first, end) => {
    onboarding.vendors.screening.hits = [{ list: 'pep', entryId: 'e', score: 100, matchedOn: 'a name' }];
    onboarding.vendors.liveness.outcome = first === 901 ? 'pending' : 'failed';
    const liveness = { id: `session-of-many-${first}`, provider: 'provider-1' };
    await made({ liveness });
    const everything = {
      rewardTier: 97 as const,
      liveness,
      pep: { declared: true, fullName: 'Joana Lima', role: 'mayor', relationship: 'self' as const },
    };
    const { requestId } = await made(everything, cpfOf(first * 1_000_000 + ((nine += 1) % 1_000_000)));
    await stage(requestId, end);
    onboarding.vendors.screening.hits = [];
    onboarding.vendors.liveness.outcome = 'passed';
  });
});

it('rule 12: a wallet of ours has an owner too, through any parent', async () => {
  const accountId = derivedId('wallet-owner');
  const walletId = derivedId('own-wallet');
  const data = new contracts.WalletCreated({
    walletId,
    accountId,
    parentId: null,
    name: 'w',
    chain: 'eth-base',
    address: address(900),
    assets: [],
    uiEnabled: true,
    metadata: {},
    createdAt: '2026-11-21T12:00:00.000Z',
  });
  const meta = {
    commandId: walletId,
    index: 0,
    count: 1,
    occurredAt: '2026-11-21T12:00:00.000Z',
    correlationId: walletId,
  };
  await onboarding.engines.store.append(`wallet-${walletId}`, -1, [
    { id: walletId, type: data.type, version: 1, data: data.data, meta },
  ]);
  await eventually(async () =>
    expect(
      (await onboarding.events()).filter(
        ({ type, data: fact }) =>
          type === 'ReservationClaimed' && (fact as { address: string }).address === address(900),
      ),
    ).toHaveLength(1),
  );
  expect(await codes(made({ externalWallets: [bySelf(address(900))] }))).toEqual([
    'external-wallet-already-registered external-wallets[0]',
  ]);
});
