import * as contracts from '@ponte/contracts';
import { evidenceFileId } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import type { OnboardingUnderTest } from '../testing/onboarding-under-test';
import { cpfOf, post, requestFor, upload } from '../testing/people';
import { codes, startWithPartner } from '../testing/requests';
import { evidenceFile } from './evidence-file.decider';
import { ulidBytes } from '../testing/ulid-bytes';

let onboarding: OnboardingUnderTest;
let parentId: string;

beforeEach(async () => {
  ({ onboarding, parentId } = await startWithPartner({ dueEveryMs: 50 }));
});

afterEach(() => onboarding.stop());

const LARGEST = evidenceFileId(ulidBytes(1_780_000_000_000, Buffer.alloc(10, 9)));

it('files that no request references are deleted after 30 days, others are kept, and their number is limited', async () => {
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
  const largest = { ...file, fileId: LARGEST, sizeBytes: 10_000_000 };
  expect(await codes(onboarding.ask(contracts.RegisterEvidenceFile, { ...largest, sizeBytes: 10_000_001 }))).toEqual([
    'invalid-format file',
  ]);
  expect(await onboarding.ask(contracts.RegisterEvidenceFile, largest)).toMatchObject({ sizeBytes: 10_000_000 });
  for (let count = 0; count < 48; count += 1) await upload(onboarding, parentId);
  expect(await codes(onboarding.ask(contracts.RegisterEvidenceFile, file))).toEqual(['limit-exceeded file']);
  // A refusal would make the gateway delete the bytes of the registered file.
  expect(await onboarding.ask(contracts.RegisterEvidenceFile, largest)).toMatchObject({ fileId: LARGEST });
});

it('bytes without a registration are deleted after a day and can then not be registered; known, recent and foreign ones are kept', async () => {
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
  // The streams of the deleted files hold no file, and the log does not report them as created.
  expect(evidenceFile.creation).toBe(contracts.EvidenceFileUploaded);
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
