import * as contracts from '@ponte/contracts';
import { eventually } from '@ponte/testing';
import type { OnboardingUnderTest } from '../testing/onboarding-under-test';
import { ANALYST, APPROVER, AUDITOR, cpfOf, post, requestFor, upload } from '../testing/people';
import { decideAsRead, requestsOf, startWithPartner } from '../testing/requests';
import { NO_INFORMATION } from '../testing/kyc-request';

const YEAR_MS = 366 * 86_400_000;

let onboarding: OnboardingUnderTest;
let parentId: string;

beforeEach(async () => {
  ({ onboarding, parentId } = await startWithPartner({ dueEveryMs: 50 }));
});

afterEach(() => onboarding.stop());

const { until, open, report, erase } = requestsOf(() => ({ onboarding, parentId }));

it('every document that a request ever had is kept with it, is shown to staff, and is deleted by an erasure', async () => {
  const request = await requestFor(onboarding, parentId, cpfOf(666_000_222));
  const {
    request: { requestId },
  } = await post(onboarding, parentId, request);
  const documents = [request.document.frontFileId];
  for (let round = 1; round <= 2; round += 1) {
    await until(requestId, 'manual-review');
    await decideAsRead(onboarding, contracts.AskInformation, {
      requestId,
      staff: ANALYST,
      items: ['document'],
      issues: ['document-quality'],
      note: null,
    });
    const frontFileId = await upload(onboarding, parentId);
    const body = await contracts.sealRequest(onboarding.engines.personalData, {
      ...NO_INFORMATION,
      document: { type: 'cnh', frontFileId, backFileId: null },
    } satisfies contracts.ClearInformation);
    await onboarding.ask(contracts.ProvideInformation, { parentId, requestId, body });
    documents.unshift(frontFileId);
  }
  await until(requestId, 'manual-review');
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
  await decideAsRead(onboarding, contracts.RejectReview, {
    requestId,
    staff: APPROVER,
    reason: 'duplicate',
    note: null,
  });
  onboarding.advance(11 * YEAR_MS);
  expect(await erase(requestId)).toMatchObject({ outcome: 'erased' });
  await eventually(() => expect(onboarding.vendors.blobs.deleted).toEqual(expect.arrayContaining(documents)));
});

it('the bytes of a document that several people share are kept until the last of them is erased', async () => {
  const first = await requestFor(onboarding, parentId, cpfOf(666_000_331));
  const shared = first.document.frontFileId;
  const base = await requestFor(onboarding, parentId, cpfOf(666_000_332), { document: first.document });
  // The second person's own document and the third person's power of attorney are the same file.
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
    await until(requestId, 'manual-review');
    await decideAsRead(onboarding, contracts.RejectReview, {
      requestId,
      staff: APPROVER,
      reason: 'duplicate',
      note: null,
    });
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
