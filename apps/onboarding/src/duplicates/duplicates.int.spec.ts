import * as contracts from '@ponte/contracts';
import { eventually } from '@ponte/testing';
import { OnboardingUnderTest } from '../testing/onboarding-under-test';
import { ANALYST, bySelf, openParent } from '../testing/people';
import { DistinctRequests } from '../testing/distinct-requests';
import { codes, decideAsRead } from '../testing/requests';

let onboarding: OnboardingUnderTest;
let requests: DistinctRequests;
let parents: [string, string];

beforeAll(async () => {
  onboarding = await OnboardingUnderTest.start();
  requests = new DistinctRequests(onboarding);
  parents = [await openParent(onboarding), await openParent(onboarding)];
});

afterAll(() => onboarding.stop());

const wallet = (fill: number): string => `0x${fill.toString(16).padStart(40, '0')}`;

it('shared traits are found across partners and spellings, in the cases of both requests', async () => {
  const [here, there] = parents;
  const alone = await requests.request(here);
  expect(await requests.shown(alone)).toEqual({ check: 'passed', duplicates: [] });
  const first = await requests.request(
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
  // The request has ended, so its wallet is free for another person.
  await decideAsRead(onboarding, contracts.RejectReview, {
    requestId: first,
    staff: ANALYST,
    reason: 'data-mismatch',
    note: null,
  });
  const second = await eventually(() =>
    requests.request(
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
    expect(await requests.shown(second)).toEqual({
      check: 'attention',
      duplicates: kinds.map((kind) => [kind, [`${first} other`]]),
    }),
  );
  expect((await requests.shown(first)).duplicates).toEqual(kinds.map((kind) => [kind, [`${second} other`]]));
  expect((await requests.shown(alone)).duplicates).toEqual([]);
});

it('a duplicate that was found after the case was read must be read before a decision', async () => {
  const [here, there] = parents;
  const open = (requestId: string) =>
    onboarding.ask(contracts.OpenReviewCase, { requestId, staff: ANALYST, purpose: 'review', note: null });
  const read = await requests.request(here, { email: 'late@example.com' });
  const { version = 0 } = (await open(read))?.item ?? {};
  const other = await requests.request(there, { email: 'late@example.com' });
  await eventually(async () =>
    expect((await requests.shown(other)).duplicates).toEqual([['email', [`${read} other`]]]),
  );
  const about = { requestId: read, staff: ANALYST, note: null };
  expect(await codes(onboarding.ask(contracts.ApproveReview, { ...about, version }))).toEqual([
    'review-changed version',
  ]);
  expect(await codes(onboarding.ask(contracts.RejectReview, { ...about, version, reason: 'data-mismatch' }))).toEqual([
    'review-changed version',
  ]);
  const again = await open(read);
  expect(again?.duplicates.map(({ kind }) => kind)).toEqual(['email']);
  expect(again?.history.at(-1)).toMatchObject({ type: 'DuplicatesFound', facts: { duplicates: ['email'] } });
  expect((await open(read))?.item.version).toBe(again?.item.version);
  expect(await onboarding.ask(contracts.ApproveReview, { ...about, version: again?.item.version ?? 0 })).toMatchObject({
    status: 'approved',
  });
});

it('events contain only keyed fingerprints of traits, never values, and fingerprints differ between installations', async () => {
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
