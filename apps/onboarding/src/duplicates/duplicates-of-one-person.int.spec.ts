import * as contracts from '@ponte/contracts';
import { eventually } from '@ponte/testing';
import { OnboardingUnderTest } from '../testing/onboarding-under-test';
import { ANALYST, cpfOf, openParent, post, requestFor } from '../testing/people';
import { DistinctRequests } from '../testing/distinct-requests';
import { decideAsRead } from '../testing/requests';
import { NO_INFORMATION } from '../testing/kyc-request';

let onboarding: OnboardingUnderTest;
let requests: DistinctRequests;
let parents: [string, string];

beforeAll(async () => {
  onboarding = await OnboardingUnderTest.start();
  requests = new DistinctRequests(onboarding);
  parents = [await openParent(onboarding), await openParent(onboarding)];
});

afterAll(() => onboarding.stop());

it('duplicates of the same person are marked, and include later information and liveness sessions', async () => {
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
          frontFileId: await requests.file(parentId, parentId === here ? 'd'.repeat(64) : 'e'.repeat(64)),
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
    expect(await requests.shown(again)).toEqual({
      check: 'passed',
      duplicates: ['address', 'email', 'liveness', 'phone'].map((kind) => [kind, [`${mine} same`]]),
    }),
  );
  const other = await requests.request(here);
  await decideAsRead(onboarding, contracts.AskInformation, {
    requestId: other,
    staff: ANALYST,
    items: ['document'],
    issues: [],
    note: null,
  });
  const sent = {
    ...NO_INFORMATION,
    document: { type: 'cnh' as const, frontFileId: await requests.file(here, 'd'.repeat(64)), backFileId: null },
  };
  await onboarding.ask(contracts.ProvideInformation, {
    parentId: here,
    requestId: other,
    body: await contracts.sealRequest(onboarding.engines.personalData, sent),
  });
  await eventually(async () =>
    expect(await requests.shown(mine)).toMatchObject({
      check: 'attention',
      duplicates: expect.arrayContaining([['document-file', [`${other} other`]]]) as unknown,
    }),
  );
});
