import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as contracts from '@ponte/contracts';
import type { Sealed } from '@ponte/event-sourcing';
import { ERASED, NO_STREAM, toAppend } from '@ponte/event-sourcing';
import type { Refusal } from '@ponte/kernel';
import { evidenceFileId, ulidBytes } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { OnboardingUnderTest } from '../testing/onboarding-under-test';
import {
  ANALYST,
  APPROVER,
  AUDITOR,
  bySelf,
  cpfOf,
  openParent,
  OPERATOR,
  post,
  requestFor,
  upload,
} from '../testing/people';

const YEAR_MS = 366 * 86_400_000;
let onboarding: OnboardingUnderTest;
let parentId: string;

beforeEach(async () => {
  onboarding = await OnboardingUnderTest.start({ dueEveryMs: 50 });
  parentId = await openParent(onboarding);
});
afterEach(() => onboarding.stop());

const codes = (promise: Promise<unknown>): Promise<string[]> =>
  promise.then(
    () => {
      throw new Error('not refused');
    },
    (error: Refusal) => error.violations.map(({ code, path }) => `${code} ${path}`),
  );
const stageOf = async (requestId: string) => {
  const record = await onboarding.ask(contracts.GetAccountRequest, { parentId, requestId });
  return record?.reviewStage ?? record?.status;
};
const reaches = (requestId: string, standing: string) =>
  eventually(async () => expect(await stageOf(requestId)).toBe(standing));
const open = (
  requestId: string,
  staff: contracts.StaffActor,
  purpose: contracts.ViewPurpose = 'review',
  note: Sealed | null = null,
) => onboarding.ask(contracts.OpenReviewCase, { requestId, staff, purpose, note });
const report = (requestId: string, staff = AUDITOR) =>
  onboarding.ask(contracts.OpenPrivacyReport, {
    person: { kind: 'request', requestId, person: 'holder' },
    staff,
    purpose: 'privacy-request',
  });
const erase = (requestId: string, person: 'holder' | 'representative' = 'holder', staff = APPROVER) =>
  onboarding.ask(contracts.ErasePerson, { person: { kind: 'request', requestId, person }, staff });

/** Personal values that must be found nowhere in clear. */
const CANARY = {
  cpf: cpfOf(733_194_285),
  firstName: 'Quetzalina',
  lastName: 'Brzezinska-Xisto',
  email: 'canario.amarelo@zwitscher.example',
  phone: '+55 31 98888-71717',
  mother: 'Ermengarda Xisto Wolff',
  line1: 'Travessa dos Canários Invisíveis 4711',
  line2: 'bloco Zzyzx',
  city: 'Pindamonhangaba do Norte',
  postal: '30140-991',
  session: 'livesession-canary-5566',
  role: 'vereadora de Canarópolis',
  custodian: 'Canário Custódia SA',
  note: 'a senhora prefere ser chamada Zezé Canário',
  passport: 'CANARY77XZ',
  birth: '1971-03-29',
};

it('tells who looked and why, durably and before anything is shown, of the representative too', async () => {
  const base = await requestFor(onboarding, parentId, cpfOf(555_000_111), {
    externalWallets: [bySelf('0x00000000000000000000000000000000000000d1')],
  });
  const representative = {
    ...base,
    identifier: { value: cpfOf(555_000_222), country: 'BRA' },
    powerOfAttorneyFileId: await upload(onboarding, parentId, 'power-of-attorney'),
  };
  const {
    request: { requestId },
  } = await post(onboarding, parentId, { ...base, representative });
  await reaches(requestId, 'manual-review');
  expect(await codes(open(requestId, OPERATOR))).toEqual(['role-not-allowed ']);
  const note = await contracts.sealRequest(onboarding.engines.personalData, { secret: 'asked on the telephone' });
  const shown = await open(requestId, ANALYST, 'review', note);
  expect(shown?.views.map(({ staffId, purpose }) => [staffId, purpose])).toEqual([[ANALYST.staffId, 'review']]);
  expect(await onboarding.engines.personalData.open(shown?.views[0]?.note as Sealed)).toBe('asked on the telephone');
  expect(shown?.item.fourEyes).toBe(true);
  expect(
    await onboarding.engines.personalData.open(
      (shown?.details as Extract<contracts.RequestDetails, { mode: 'kyc' }>).holder.lastName,
    ),
  ).toBe('Lima');
  const views = (await onboarding.events())
    .filter(({ type }) => type === 'PersonalDataViewed')
    .map(({ data }) => data as contracts.PersonalDataViewed['data']);
  expect(new Set(views.map(({ subjectId }) => subjectId)).size).toBe(2);
  expect(await onboarding.engines.personalData.open(views.find((one) => one.note)?.note as Sealed)).toBe(
    'asked on the telephone',
  );

  const ask = (fileId: string) =>
    onboarding.ask(contracts.OpenReviewFile, { requestId, fileId, staff: ANALYST, purpose: 'review' });
  expect(await ask(base.document.frontFileId)).toMatchObject({
    fileId: base.document.frontFileId,
    contentType: 'image/png',
  });
  expect(await ask(await upload(onboarding, parentId))).toBeNull();
  await eventually(async () =>
    expect((await report(requestId))?.holdings.map(({ kind, role }) => `${kind} ${role}`)).toEqual([
      'account-request holder',
      'evidence-file holder',
    ]),
  );
  const reported = await report(requestId);
  expect(reported?.views.some((view) => 'note' in view)).toBe(false);
  expect(reported?.views.map(({ what }) => what)).toEqual(
    expect.arrayContaining(['case', 'document', 'privacy-report']),
  );
  expect(reported?.holdings[0]).toMatchObject({
    retainedUntil: null,
    categories: expect.arrayContaining([
      'date-of-birth',
      'pep',
      'screening-results',
      'external-wallets',
      'review-notes',
    ]) as string[],
  });
  expect(await codes(report(requestId, ANALYST))).toEqual(['role-not-allowed ']);
  const stranger = await contracts.sealRequest(onboarding.engines.personalData, {
    value: cpfOf(999_000_111),
    country: 'BRA',
  });
  expect(
    await onboarding.ask(contracts.OpenPrivacyReport, {
      person: { kind: 'identifier', identifier: stranger },
      staff: AUDITOR,
      purpose: 'privacy-request',
    }),
  ).toBeNull();
});

it('finds a payer who is not a customer, and erases that payer in time', async () => {
  const { personalData } = onboarding.engines;
  const pays = async (cpf: string, accountId: string, depositId: string) => {
    const fingerprint = personalData.fingerprint('tax-id', cpf);
    const [sourceTaxId, sourceLegalName, sourceAccountNumber, sourceBranchCode] = await Promise.all(
      [cpf, 'Vera Passante', '1234-5', '0001'].map((text) =>
        personalData.seal(contracts.holderIdOf(fingerprint), text),
      ),
    );
    const coordinates = {
      sourceTaxId,
      sourceTaxIdFingerprint: fingerprint,
      sourceLegalName,
      sourceBankCode: '00000000',
      sourceType: 'checking',
      sourceAccountNumber,
      sourceBranchCode,
      target: 'x',
    } as contracts.PixCoordinates;
    const at = new Date(onboarding.engines.clock.now()).toISOString();
    const received = new contracts.DepositCreated({
      depositId,
      accountId,
      parentId,
      orderId: null,
      type: 'pix',
      asset: 'fiat/brl',
      amount: '5.00',
      endToEndId: `E${depositId}`,
      coordinates,
      settledAt: at,
      createdAt: at,
    });
    await onboarding.engines.store.append(
      `deposit-${depositId}`,
      NO_STREAM,
      toAppend([received], [contracts.DepositCreated], onboarding.context(), at),
    );
  };
  const reportOf = async (cpf: string) =>
    onboarding.ask(contracts.OpenPrivacyReport, {
      person: {
        kind: 'identifier',
        identifier: await contracts.sealRequest(personalData, { value: cpf, country: 'BRA' }),
      },
      staff: AUDITOR,
      purpose: 'privacy-request',
    });
  const [stranger, holder] = [cpfOf(777_000_111), cpfOf(777_000_222)];
  const {
    request: { requestId, accountId },
  } = await post(onboarding, parentId, await requestFor(onboarding, parentId, holder));
  await reaches(requestId, 'manual-review');
  await onboarding.ask(contracts.ApproveReview, { requestId, staff: APPROVER, note: null });
  await reaches(requestId, 'active');
  await eventually(async () => expect((await reportOf(holder))?.holdings.map(({ kind }) => kind)).toContain('account'));
  await pays(holder, accountId, 'a0000000-0000-8000-8000-000000000001');
  await pays(stranger, accountId, 'a0000000-0000-8000-8000-000000000002');
  await eventually(async () =>
    expect((await reportOf(stranger))?.holdings).toMatchObject([
      {
        kind: 'deposit',
        id: 'a0000000-0000-8000-8000-000000000002',
        role: 'payer',
        categories: ['name', 'tax-id', 'bank-account'],
        retainedUntil: expect.any(String) as string,
      },
    ]),
  );
  expect((await reportOf(holder))?.holdings.map(({ kind }) => kind)).not.toContain('deposit');
  const eraseStranger = async () =>
    onboarding.ask(contracts.ErasePerson, {
      person: {
        kind: 'identifier',
        identifier: await contracts.sealRequest(personalData, { value: stranger, country: 'BRA' }),
      },
      staff: APPROVER,
    });
  expect(await eraseStranger()).toMatchObject({ outcome: 'restricted' });
  onboarding.advance(11 * YEAR_MS);
  expect(await eraseStranger()).toMatchObject({ outcome: 'erased' });
});

it('restricts while the law wants the records kept, then erases: the key, the files, everywhere', async () => {
  const request = await requestFor(onboarding, parentId, cpfOf(666_000_111));
  const {
    request: { requestId },
  } = await post(onboarding, parentId, request);
  await reaches(requestId, 'manual-review');
  await eventually(async () => expect(await report(requestId)).not.toBeNull());
  expect(await codes(erase(requestId, 'holder', AUDITOR))).toEqual(['role-not-allowed ']);
  expect(await erase(requestId)).toMatchObject({ outcome: 'restricted', retainedUntil: null });
  expect(await codes(open(requestId, ANALYST))).toEqual(['personal-data-restricted ']);
  expect(await codes(open(requestId, APPROVER, 'review'))).toEqual(['personal-data-restricted ']);
  expect(await codes(onboarding.ask(contracts.ApproveReview, { requestId, staff: ANALYST, note: null }))).toEqual([
    'personal-data-restricted ',
  ]);
  expect((await open(requestId, APPROVER, 'legal-request'))?.restricted).toBe(true);
  await onboarding.ask(contracts.RejectReview, { requestId, staff: APPROVER, reason: 'duplicate', note: null });
  const kept = await erase(requestId);
  expect(kept?.outcome).toBe('restricted');
  expect(Date.parse(kept?.retainedUntil ?? '') - onboarding.engines.clock.now()).toBeGreaterThan(
    9.9 * 365 * 86_400_000,
  );
  onboarding.advance(10 * YEAR_MS);
  expect(await erase(requestId)).toMatchObject({ outcome: 'erased' });
  expect(await erase(requestId)).toMatchObject({ outcome: 'erased' });
  const record = await onboarding.ask(contracts.GetAccountRequest, { parentId, requestId });
  expect(await onboarding.engines.personalData.open(record?.maskedIdentifier as Sealed)).toBe(ERASED);
  const shown = await open(requestId, AUDITOR, 'audit');
  expect(
    await onboarding.engines.personalData.open(
      (shown?.details as Extract<contracts.RequestDetails, { mode: 'kyc' }>).email,
    ),
  ).toBe(ERASED);
  expect(shown?.files).toEqual([]);
  await eventually(() => expect(onboarding.vendors.blobs.deleted).toContain(request.document.frontFileId));
  expect((await report(requestId))?.status).toBe('erased');
  expect(
    await codes(
      post(onboarding, parentId, {
        ...request,
        document: { ...request.document, frontFileId: await upload(onboarding, parentId) },
      }),
    ),
  ).toEqual(['person-erased identifier']);
});

it('keeps hold of every document that a request ever had: staff see what stands first, and an erasure takes them all', async () => {
  const request = await requestFor(onboarding, parentId, cpfOf(666_000_222));
  const {
    request: { requestId },
  } = await post(onboarding, parentId, request);
  const documents = [request.document.frontFileId];
  for (let round = 1; round <= 2; round += 1) {
    await reaches(requestId, 'manual-review');
    await onboarding.ask(contracts.AskInformation, {
      requestId,
      staff: ANALYST,
      items: ['document'],
      issues: ['document-quality'],
      note: null,
    });
    const frontFileId = await upload(onboarding, parentId);
    const body = await contracts.sealRequest(onboarding.engines.personalData, {
      address: null,
      document: { type: 'cnh', frontFileId, backFileId: null },
      liveness: null,
      representativeAddress: null,
      representativeDocument: null,
      powerOfAttorneyFileId: null,
      otherFileIds: [],
      note: null,
    } satisfies contracts.ClearInformation);
    await onboarding.ask(contracts.ProvideInformation, { parentId, requestId, body });
    documents.unshift(frontFileId);
  }
  await reaches(requestId, 'manual-review');
  expect((await open(requestId, ANALYST))?.files.map(({ fileId, label }) => [fileId, label])).toEqual(
    documents.map((fileId, at) => [fileId, at === 0 ? 'document, front' : 'document, front, replaced']),
  );
  expect(
    await onboarding.ask(contracts.OpenReviewFile, {
      requestId,
      fileId: documents[1] as string,
      staff: ANALYST,
      purpose: 'review',
    }),
  ).not.toBeNull();
  await eventually(async () =>
    expect(
      (await report(requestId))?.holdings.flatMap(({ kind, id }) => (kind === 'evidence-file' ? [id] : [])),
    ).toEqual(documents),
  );
  await onboarding.ask(contracts.RejectReview, { requestId, staff: APPROVER, reason: 'duplicate', note: null });
  onboarding.advance(11 * YEAR_MS);
  expect(await erase(requestId)).toMatchObject({ outcome: 'erased' });
  await eventually(() => expect(onboarding.vendors.blobs.deleted).toEqual(expect.arrayContaining(documents)));
});

it('keeps the bytes of a document that others are named by too, in whatever place, until the last of them is erased', async () => {
  const first = await requestFor(onboarding, parentId, cpfOf(666_000_331));
  const shared = first.document.frontFileId;
  const base = await requestFor(onboarding, parentId, cpfOf(666_000_332), { document: first.document });
  // The second person's own document and a third one's power of attorney are the same file.
  const representative = {
    ...base,
    identifier: { value: cpfOf(666_000_333), country: 'BRA' },
    document: { ...first.document, frontFileId: await upload(onboarding, parentId) },
    powerOfAttorneyFileId: shared,
  };
  const requestIds = [
    (await post(onboarding, parentId, first)).request.requestId,
    (await post(onboarding, parentId, { ...base, representative })).request.requestId,
  ] as const;
  for (const requestId of requestIds) {
    await reaches(requestId, 'manual-review');
    await onboarding.ask(contracts.RejectReview, { requestId, staff: APPROVER, reason: 'duplicate', note: null });
  }
  const filesIn = async (requestId: string, person: 'holder' | 'representative') => {
    const reported = await onboarding.ask(contracts.OpenPrivacyReport, {
      person: { kind: 'request', requestId, person },
      staff: AUDITOR,
      purpose: 'privacy-request',
    });
    return reported?.holdings.flatMap(({ kind, id }) => (kind === 'evidence-file' ? [id] : []));
  };
  const look = (requestId: string) =>
    onboarding.ask(contracts.OpenReviewFile, { requestId, fileId: shared, staff: AUDITOR, purpose: 'audit' });
  const shownIn = async (requestId: string) =>
    (await open(requestId, AUDITOR, 'audit'))?.files.map(({ fileId }) => fileId);
  await eventually(async () => {
    expect(
      (await onboarding.events()).filter(
        ({ type, data }) => type === 'EvidenceFileReferenced' && (data as { fileId: string }).fileId === shared,
      ),
    ).toHaveLength(2);
    expect(await filesIn(requestIds[0], 'holder')).toEqual([shared]);
    expect(await filesIn(requestIds[1], 'representative')).toContain(shared);
  });
  onboarding.advance(11 * YEAR_MS);
  expect(await erase(requestIds[0])).toMatchObject({ outcome: 'erased' });
  expect([await filesIn(requestIds[0], 'holder'), await shownIn(requestIds[0]), await look(requestIds[0])]).toEqual([
    [],
    [],
    null,
  ]);
  expect(await filesIn(requestIds[1], 'holder')).toEqual([shared]);
  expect(await erase(requestIds[1])).toMatchObject({ outcome: 'erased' });
  expect([await shownIn(requestIds[1]), await look(requestIds[1])]).toMatchObject([
    expect.arrayContaining([shared]) as string[],
    { fileId: shared },
  ]);
  expect(
    (await onboarding.events()).filter(
      ({ type, data }) => type === 'EvidenceFileDeleted' && (data as { fileId: string }).fileId === shared,
    ),
  ).toEqual([]);
  expect(await erase(requestIds[1], 'representative')).toMatchObject({ outcome: 'erased' });
  await eventually(() =>
    expect(onboarding.vendors.blobs.deleted).toEqual(
      expect.arrayContaining([shared, representative.document.frontFileId]),
    ),
  );
});

it('lets go of files that no request names after 30 days, keeps the others, and limits how many wait', async () => {
  const loose = await upload(onboarding, parentId);
  const request = await requestFor(onboarding, parentId, cpfOf(777_000_111));
  await post(onboarding, parentId, request);
  await eventually(async () =>
    expect((await onboarding.events()).filter(({ type }) => type === 'EvidenceFileReferenced')).toHaveLength(1),
  );
  onboarding.advance(30 * 86_400_000 + 1_000);
  expect(
    await codes(
      post(onboarding, parentId, {
        ...(await requestFor(onboarding, parentId, cpfOf(777_000_112))),
        document: { ...request.document, frontFileId: loose },
      }),
    ),
  ).toEqual(['file-not-found document.front-file-id']);
  onboarding.advance(86_400_000);
  await eventually(() => expect(onboarding.vendors.blobs.deleted).toEqual([loose]));
  const file = {
    fileId: 'ev_01',
    parentId,
    purpose: 'other' as const,
    contentType: 'image/png' as const,
    sizeBytes: 1,
    sha256: 'a'.repeat(64),
  };
  expect(
    await codes(onboarding.ask(contracts.RegisterEvidenceFile, { ...file, fileId: 'x', sizeBytes: 0, sha256: 'x' })),
  ).toEqual(['invalid-format id', 'invalid-format file', 'invalid-format sha-256']);
  for (let count = 0; count < 49; count += 1) await upload(onboarding, parentId);
  expect(await codes(onboarding.ask(contracts.RegisterEvidenceFile, file))).toEqual(['limit-exceeded file']);
});

it('bytes whose registration never came go after a day, and their file can then not be registered; what is known, or young, or no file of ours stays', async () => {
  const now = Date.now();
  const DAY = 86_400_000;
  const ids = [1, 2, 3].map((n) => evidenceFileId(ulidBytes(1_780_000_000_000 + n, Buffer.alloc(10, n))));
  const [orphan, young, late] = ids as [string, string, string];
  const loose = await upload(onboarding, parentId);
  onboarding.vendors.blobs.pages = [
    { [orphan]: now - 2 * DAY, [loose]: now - 2 * DAY, report: now - 2 * DAY },
    { [young]: now - DAY + 60_000, [late]: now - 2 * DAY },
  ];
  await eventually(() => expect(onboarding.vendors.blobs.deleted).toEqual(expect.arrayContaining([orphan, late])));
  for (const spared of [loose, young, 'report']) expect(onboarding.vendors.blobs.deleted).not.toContain(spared);
  const file = (fileId: string) => ({
    fileId,
    parentId,
    purpose: 'other' as const,
    contentType: 'image/png' as const,
    sizeBytes: 1,
    sha256: 'a'.repeat(64),
  });
  expect(await codes(onboarding.ask(contracts.RegisterEvidenceFile, file(orphan)))).toEqual(['file-not-found file']);
  expect(await onboarding.ask(contracts.RegisterEvidenceFile, file(young))).toMatchObject({ fileId: young });
  const reported = (await onboarding.events()).filter(({ type }) => type === 'EvidenceFileDeleted');
  expect(
    reported
      .map(({ data }) => data as { fileId: string; reason: string })
      .map(({ fileId, reason }) => [fileId, reason])
      .sort(),
  ).toEqual(
    [
      [orphan, 'never-registered'],
      [late, 'never-registered'],
    ].sort(),
  );
});

it('keeps canaries out of every event, view, file, log line, refusal and reply', async () => {
  const base = await requestFor(onboarding, parentId, CANARY.cpf, {
    firstName: CANARY.firstName,
    lastName: CANARY.lastName,
    email: CANARY.email,
    phone: CANARY.phone,
    dateOfBirth: CANARY.birth,
    motherFullName: CANARY.mother,
    address: {
      postalCode: CANARY.postal,
      line1: CANARY.line1,
      line2: CANARY.line2,
      city: CANARY.city,
      state: 'MG',
      country: 'BRA',
    },
    liveness: { id: CANARY.session, provider: 'provider-2' },
    pep: { declared: true, fullName: CANARY.mother, role: CANARY.role, relationship: 'child' },
    externalId: 'shown-id-1',
    externalWallets: [
      {
        ...bySelf('0x00000000000000000000000000000000000000c1'),
        custodyType: 'exchange',
        custodyCountry: 'BRA',
        custodianName: CANARY.custodian,
      },
    ],
  });
  const representative = {
    ...base,
    identifier: { value: CANARY.passport, country: 'PRT' },
    taxResidence: 'PRT',
    document: { type: 'passport' as const, frontFileId: await upload(onboarding, parentId), backFileId: null },
    powerOfAttorneyFileId: await upload(onboarding, parentId, 'power-of-attorney'),
  };
  onboarding.vendors.screening.hits = [
    { list: 'pep', entryId: '7', score: 91, matchedOn: `${CANARY.firstName} ${CANARY.lastName}` },
  ];
  const said: unknown[] = [];
  const made = await post(onboarding, parentId, { ...base, representative });
  const { requestId } = made.request;
  await reaches(requestId, 'manual-review');
  const note = await contracts.sealRequest(onboarding.engines.personalData, { secret: CANARY.note });
  said.push(
    made,
    await open(requestId, APPROVER, 'review', note),
    await onboarding.ask(contracts.EscalateReview, { requestId, staff: APPROVER, note }),
  );
  said.push(
    await onboarding.ask(contracts.AskInformation, { requestId, staff: APPROVER, items: ['other'], issues: [], note }),
  );
  said.push(
    await onboarding.ask(contracts.ProvideInformation, {
      parentId,
      requestId,
      body: await contracts.sealRequest(onboarding.engines.personalData, {
        address: { ...base.address, line2: CANARY.note },
        document: null,
        liveness: null,
        representativeAddress: null,
        representativeDocument: null,
        powerOfAttorneyFileId: null,
        otherFileIds: [],
        note: CANARY.note,
      }),
    }),
  );
  await reaches(requestId, 'manual-review');
  for (const person of ['holder', 'representative'] as const) {
    said.push(
      await onboarding.ask(contracts.JudgeScreeningHit, {
        requestId,
        staff: APPROVER,
        person,
        list: 'pep',
        entryId: '7',
        verdict: 'false-positive',
        reason: 'name-differs',
        note,
      }),
    );
  }
  for (const staff of [APPROVER, { ...APPROVER, staffId: AUDITOR.staffId }])
    said.push(await onboarding.ask(contracts.ApproveReview, { requestId, staff, note }));
  await reaches(requestId, 'active');
  for (const wrong of [
    { externalId: CANARY.cpf },
    { externalId: `${CANARY.firstName}${CANARY.lastName}` },
    { identifier: { value: `${CANARY.cpf}1`, country: 'BRA' } },
    { address: { ...base.address, state: CANARY.city } },
    { phone: CANARY.phone.repeat(3) },
    { dateOfBirth: CANARY.email },
    { externalWallets: [bySelf(CANARY.email)] },
    { taxResidence: CANARY.city },
    { document: { ...base.document, frontFileId: CANARY.email } },
  ])
    said.push(
      await post(onboarding, parentId, {
        ...base,
        identifier: { value: cpfOf(733_194_999), country: 'BRA' },
        ...wrong,
      }).catch((error: Refusal) => error.toJSON()),
    );
  said.push(
    await report(requestId),
    await onboarding.ask(contracts.ListReviewQueue, {
      filters: contracts.NO_QUEUE_FILTERS,
      order: 'newest',
      limit: 50,
      cursor: null,
    }),
  );

  const files = readdirSync(onboarding.folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)).toString('latin1'));
  const everything = [
    JSON.stringify(await onboarding.events()),
    JSON.stringify(said),
    onboarding.log.join(''),
    ...files,
  ];
  // What may be seen is found there, so the search looks where it should.
  expect(everything.filter((sink) => sink.includes('shown-id-1')).length).toBeGreaterThanOrEqual(3);
  const bare = (text: string): string =>
    text
      .normalize('NFKD')
      .replace(/[^0-9A-Za-z]/g, '')
      .toLowerCase();
  for (const [name, value] of Object.entries(CANARY)) {
    const found = everything.findIndex(
      (sink) =>
        sink.includes(value) ||
        sink.includes(Buffer.from(value, 'utf8').toString('latin1')) ||
        (bare(value).length >= 10 && bare(sink).includes(bare(value))),
    );
    expect([name, found]).toEqual([name, -1]);
  }
});

it('finds the payee of a withdrawal, who may be no customer at all', async () => {
  const { personalData, store } = onboarding.engines;
  const cpf = cpfOf(777_000_333);
  const taxIdFingerprint = personalData.fingerprint('tax-id', cpf);
  const [taxId, legalName, accountNumber, branchCode] = await Promise.all(
    [cpf, 'Vera Recebedora', '1234-5', '0001'].map((text) =>
      personalData.seal(contracts.holderIdOf(taxIdFingerprint), text),
    ),
  );
  const payee = {
    taxId,
    legalName,
    accountNumber,
    branchCode,
    taxIdFingerprint,
    bankCode: '00000000',
  } as contracts.SealedPayee;
  const [withdrawalId, at] = [
    'a0000000-0000-8000-8000-000000000003',
    new Date(onboarding.engines.clock.now()).toISOString(),
  ];
  const created = new contracts.WithdrawalCreated({
    withdrawalId,
    accountId: parentId,
    parentId: null,
    createdBy: parentId,
    createdByApiKey: 'ak',
    keyHash: null,
    bodyHash: null,
    externalId: null,
    asset: 'fiat/brl',
    amount: '5.00',
    holdId: 'h',
    target: { method: 'ted', payee },
    scheduledFor: null,
    createdAt: at,
  });
  await store.append(
    `withdrawal-${withdrawalId}`,
    NO_STREAM,
    toAppend([created], [contracts.WithdrawalCreated], onboarding.context(), at),
  );
  const person = {
    kind: 'identifier',
    identifier: await contracts.sealRequest(personalData, { value: cpf, country: 'BRA' }),
  } as const;
  await eventually(async () =>
    expect(
      (await onboarding.ask(contracts.OpenPrivacyReport, { person, staff: AUDITOR, purpose: 'privacy-request' }))
        ?.holdings,
    ).toMatchObject([
      {
        kind: 'withdrawal',
        id: withdrawalId,
        role: 'payee',
        categories: ['name', 'tax-id', 'bank-account', 'pix-key'],
      },
    ]),
  );
});
