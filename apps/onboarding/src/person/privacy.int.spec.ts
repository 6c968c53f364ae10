import * as contracts from '@ponte/contracts';
import type { Sealed } from '@ponte/event-sourcing';
import { ERASED } from '@ponte/event-sourcing';
import { eventually } from '@ponte/testing';
import type { OnboardingUnderTest } from '../testing/onboarding-under-test';
import { ANALYST, APPROVER, AUDITOR, bySelf, cpfOf, OPERATOR, post, requestFor, upload } from '../testing/people';
import { approveAsRead, codes, decideAsRead, requestsOf, startWithPartner } from '../testing/requests';

const YEAR_MS = 366 * 86_400_000;

let onboarding: OnboardingUnderTest;
let parentId: string;

beforeEach(async () => {
  ({ onboarding, parentId } = await startWithPartner({ dueEveryMs: 50 }));
});

afterEach(() => onboarding.stop());

const { until, open, report, erase } = requestsOf(() => ({ onboarding, parentId }));

it("views of a person's data are recorded with their purpose before anything is shown", async () => {
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
  await until(requestId, 'manual-review');
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

it('an erasure restricts access during the legal retention period, then destroys the key and the files', async () => {
  const request = await requestFor(onboarding, parentId, cpfOf(666_000_111));
  const {
    request: { requestId },
  } = await post(onboarding, parentId, request);
  await until(requestId, 'manual-review');
  await eventually(async () => expect(await report(requestId)).not.toBeNull());
  expect(await codes(erase(requestId, 'holder', AUDITOR))).toEqual(['role-not-allowed ']);
  expect(await erase(requestId)).toMatchObject({ outcome: 'restricted', retainedUntil: null });
  expect(await codes(open(requestId, ANALYST))).toEqual(['personal-data-restricted ']);
  expect(await codes(open(requestId, APPROVER, 'review'))).toEqual(['personal-data-restricted ']);
  expect(await codes(approveAsRead(onboarding, requestId, ANALYST))).toEqual(['personal-data-restricted ']);
  expect((await open(requestId, APPROVER, 'legal-request'))?.restricted).toBe(true);
  await decideAsRead(onboarding, contracts.RejectReview, {
    requestId,
    staff: APPROVER,
    reason: 'duplicate',
    note: null,
  });
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
