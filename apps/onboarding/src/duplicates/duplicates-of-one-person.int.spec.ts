import * as contracts from '@ponte/contracts';
import { evidenceFileId, ulidBytes } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { OnboardingUnderTest } from '../testing/onboarding-under-test';
import { APPROVER, ANALYST, cpfOf, openParent, post, requestFor } from '../testing/people';

let onboarding: OnboardingUnderTest;

let parents: [string, string];

beforeAll(async () => {
  onboarding = await OnboardingUnderTest.start();
  parents = [await openParent(onboarding), await openParent(onboarding)];
});

afterAll(() => onboarding.stop());

let made = 0;

async function file(parentId: string, sha256: string): Promise<string> {
  made += 1;
  const fileId = evidenceFileId(ulidBytes(1_795_000_000_000 + made, Buffer.alloc(10, made)));
  await onboarding.ask(contracts.RegisterEvidenceFile, {
    fileId,
    parentId,
    purpose: 'document-front',
    contentType: 'image/png',
    sizeBytes: 1234,
    sha256,
  });
  return fileId;
}

/** A person who has nothing in common with anybody, but for what is said. */
async function request(
  parentId: string,
  change: Partial<contracts.ClearKycRequest> = {},
  sha256?: string,
): Promise<string> {
  made += 1;
  const unique = {
    email: `zymurgia-${made}@example.com`,
    phone: `+55 11 9${String(10_000_000 + made)}`,
    liveness: { id: `duplicates-${made}`, provider: 'provider-1' },
    address: {
      postalCode: '01310-100',
      line1: `Rua Xilofonte ${made}`,
      line2: '',
      city: 'São Paulo',
      state: 'SP',
      country: 'BRA',
    },
    document: {
      type: 'cnh' as const,
      frontFileId: await file(parentId, sha256 ?? String(made).padStart(64, '0')),
      backFileId: null,
    },
  };
  const {
    request: { requestId },
  } = await post(
    onboarding,
    parentId,
    await requestFor(onboarding, parentId, cpfOf(430_000_000 + made), { ...unique, ...change }),
  );
  await eventually(async () =>
    expect((await onboarding.ask(contracts.GetAccountRequest, { parentId, requestId }))?.reviewStage).toBe(
      'manual-review',
    ),
  );
  return requestId;
}

async function shown(requestId: string) {
  const found = (await onboarding.ask(contracts.OpenReviewCase, {
    requestId,
    staff: APPROVER,
    purpose: 'review',
    note: null,
  })) as contracts.ReviewCase;
  const check = found.checklist.find((one) => one.check === 'duplicates')?.outcome;
  return {
    check,
    duplicates: found.duplicates
      .map(({ kind, requests }) => [
        kind,
        requests.map((one) => `${one.requestId} ${one.samePerson ? 'same' : 'other'}`).sort(),
      ])
      .sort(),
  };
}

it('tells the same person apart, and follows information that comes later and liveness sessions', async () => {
  const [here, there] = parents;
  const [cpf, liveness] = [cpfOf(439_000_001), { id: 'duplicates-same', provider: 'provider-1' }];
  const post1 = async (parentId: string) => {
    const {
      request: { requestId },
    } = await post(
      onboarding,
      parentId,
      await requestFor(onboarding, parentId, cpf, {
        email: 'same@example.com',
        phone: '+55 11 97777-0001',
        liveness,
        address: {
          postalCode: '70040-010',
          line1: 'Quadra 2',
          line2: '',
          city: 'Brasília',
          state: 'DF',
          country: 'BRA',
        },
        document: {
          type: 'cnh',
          frontFileId: await file(parentId, parentId === here ? 'd'.repeat(64) : 'e'.repeat(64)),
          backFileId: null,
        },
      }),
    );
    await eventually(async () =>
      expect((await onboarding.ask(contracts.GetAccountRequest, { parentId, requestId }))?.reviewStage).toBe(
        'manual-review',
      ),
    );
    return requestId;
  };
  const [mine, again] = [await post1(here), await post1(there)];
  await eventually(async () =>
    expect(await shown(again)).toEqual({
      check: 'passed',
      duplicates: ['address', 'email', 'liveness', 'phone'].map((kind) => [kind, [`${mine} same`]]),
    }),
  );
  const other = await request(here);
  await onboarding.ask(contracts.AskInformation, {
    requestId: other,
    staff: ANALYST,
    items: ['document'],
    issues: [],
    note: null,
  });
  const sent = {
    address: null,
    document: { type: 'cnh' as const, frontFileId: await file(here, 'd'.repeat(64)), backFileId: null },
    liveness: null,
    representativeAddress: null,
    representativeDocument: null,
    powerOfAttorneyFileId: null,
    otherFileIds: [],
    note: null,
  };
  await onboarding.ask(contracts.ProvideInformation, {
    parentId: here,
    requestId: other,
    body: await contracts.sealRequest(onboarding.engines.personalData, sent),
  });
  await eventually(async () =>
    expect(await shown(mine)).toMatchObject({
      check: 'attention',
      duplicates: expect.arrayContaining([['document-file', [`${other} other`]]]) as unknown,
    }),
  );
});
