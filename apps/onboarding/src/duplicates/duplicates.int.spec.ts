import * as contracts from '@ponte/contracts';
import { evidenceFileId, ulidBytes } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { OnboardingUnderTest } from '../testing/onboarding-under-test';
import { APPROVER, ANALYST, bySelf, cpfOf, openParent, post, requestFor } from '../testing/people';

let onboarding: OnboardingUnderTest;

let parents: [string, string];

beforeAll(async () => {
  onboarding = await OnboardingUnderTest.start();
  parents = [await openParent(onboarding), await openParent(onboarding)];
});

afterAll(() => onboarding.stop());

let made = 0;

const wallet = (fill: number): string => `0x${fill.toString(16).padStart(40, '0')}`;

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

it('finds what requests have in common, across partners and however it is written, in both cases', async () => {
  const [here, there] = parents;
  const alone = await request(here);
  expect(await shown(alone)).toEqual({ check: 'passed', duplicates: [] });
  const first = await request(
    here,
    {
      email: 'shared@example.com',
      phone: '+55 11 91234-5678',
      externalWallets: [bySelf(wallet(1))],
      address: {
        postalCode: '20040-020',
        line1: 'Rua São José, 90',
        line2: 'Sala 3',
        city: 'Rio de Janeiro',
        state: 'RJ',
        country: 'BRA',
      },
    },
    'c'.repeat(64),
  );
  // It ended, so that its wallet is free for someone else.
  await onboarding.ask(contracts.RejectReview, {
    requestId: first,
    staff: ANALYST,
    reason: 'data-mismatch',
    note: null,
  });
  const second = await eventually(() =>
    request(
      there,
      {
        email: 'Shared@Example.com',
        phone: '+5511912345678',
        externalWallets: [bySelf(wallet(1))],
        liveness: { id: 'duplicates-3', provider: 'provider-2' },
        address: {
          postalCode: '20040020',
          line1: 'RUA SAO JOSE 90',
          line2: 'sala 3',
          city: 'Rio',
          state: 'RJ',
          country: 'bra',
        },
      },
      'c'.repeat(64),
    ),
  );
  const kinds = ['address', 'document-file', 'email', 'phone', 'wallet'];
  await eventually(async () =>
    expect(await shown(second)).toEqual({
      check: 'attention',
      duplicates: kinds.map((kind) => [kind, [`${first} other`]]),
    }),
  );
  expect((await shown(first)).duplicates).toEqual(kinds.map((kind) => [kind, [`${second} other`]]));
  expect((await shown(alone)).duplicates).toEqual([]);
});

it('keeps keyed fingerprints alone: no value stands in an event, and another installation makes others', async () => {
  const notes = (await onboarding.events()).filter(({ type }) => type === 'RequestTraitNoted');
  expect(notes.length).toBeGreaterThan(10);
  const text = JSON.stringify(await onboarding.events());
  for (const value of ['shared@example.com', '912345678', 'Xilofonte', 'xilofonte', 'zymurgia'])
    expect([value, text.includes(value)]).toEqual([value, false]);
  const elsewhere = await OnboardingUnderTest.start();
  const fingerprints = [onboarding, elsewhere].map(({ engines }) =>
    engines.personalData.fingerprint('request-trait-email', 'shared@example.com'),
  );
  expect(text).toContain(fingerprints[0]);
  expect(fingerprints[0]).not.toBe(fingerprints[1]);
  await elsewhere.stop();
});
