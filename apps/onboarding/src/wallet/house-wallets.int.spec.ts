import * as contracts from '@ponte/contracts';
import { Unavailable } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import type { OnboardingUnderTest } from '../testing/onboarding-under-test';
import { ANALYST, bySelf, openParent, post, postReliance, requestFor } from '../testing/people';
import { approveAsRead, codes, requestsOf, startWithPartner } from '../testing/requests';

const HOUSE = `0x${'5a'.repeat(20)}`;
const IN_UPPER_CASE = `0x${'5A'.repeat(20)}`;
const OUTSIDE = `0x${'cd'.repeat(20)}`;
const TWENTY_SECONDS = 20_000;

let onboarding: OnboardingUnderTest;
let parentId: string;
beforeEach(async () => {
  ({ onboarding, parentId } = await startWithPartner({ dueEveryMs: 20 }));
});
afterEach(() => onboarding.stop());

const { nextCpf, until, made, waiting } = requestsOf(() => ({ onboarding, parentId }));

const requestAndReservations = async () =>
  (await onboarding.events()).filter(({ stream }) => /^(accountRequest|reservation)-/.test(stream));
const approve = async (requestId: string) => {
  await onboarding.ask(contracts.ClaimReview, { requestId, staff: ANALYST, takeOver: false });
  await approveAsRead(onboarding, requestId, ANALYST);
};
const listed = async (accountId: string) =>
  (await onboarding.ask(contracts.GetWhitelistedWallets, { accountId })).wallets.map(({ address }) => address);

describe('An account request that names an address of the service', () => {
  beforeEach(() => {
    onboarding.vendors.houseAddress = HOUSE;
  });

  it.each([HOUSE, IN_UPPER_CASE])('is refused in both modes, even when it is repeated: %s', async (written) => {
    const externalWallets = [bySelf(OUTSIDE), bySelf(written)];
    const request = await requestFor(onboarding, parentId, nextCpf(), { externalWallets });
    const reliance = await openParent(onboarding, 'reliance');
    for (const attempt of [
      () => post(onboarding, parentId, request),
      () => post(onboarding, parentId, request),
      () => postReliance(onboarding, reliance, nextCpf(), { externalWallets }),
    ])
      expect(await codes(attempt())).toEqual(['invalid-address external-wallets[1].address']);
    expect(await requestAndReservations()).toEqual([]);
    const others = await post(onboarding, parentId, { ...request, externalWallets: [bySelf(OUTSIDE)] });
    expect(others.created).toBe(true);
  });

  it('is refused with its other violations', async () => {
    const wallets = { externalWallets: [bySelf(HOUSE), bySelf(HOUSE)], dateOfBirth: '2020-01-01' };
    expect(await codes(made(wallets))).toEqual([
      'holder-under-age date-of-birth',
      'invalid-address external-wallets[0].address',
      'invalid-address external-wallets[1].address',
      'duplicate-external-wallet external-wallets[1]',
    ]);
  });
});

describe('An account request while the addresses of the service are unknown', () => {
  beforeEach(() => {
    onboarding.vendors.houseAddressesDown = true;
  });

  it('with external wallets can be repeated later, and nothing is written', async () => {
    const request = await requestFor(onboarding, parentId, nextCpf(), { externalWallets: [bySelf(OUTSIDE)] });
    await expect(post(onboarding, parentId, request)).rejects.toBeInstanceOf(Unavailable);
    expect(await requestAndReservations()).toEqual([]);
    onboarding.vendors.houseAddressesDown = false;
    expect((await post(onboarding, parentId, request)).created).toBe(true);
  });

  it('without external wallets is received', async () => {
    expect((await made()).status).toBe('pending');
  });
});

describe('The approval of an account request', () => {
  const warnings = () => onboarding.log.filter((line) => line.includes('was not whitelisted')).map(parsed);
  const parsed = (line: string) => JSON.parse(line) as Record<string, unknown>;

  it('does not whitelist a wallet that has become an address of the service, says so in the log, and continues', async () => {
    const { requestId, accountId } = await waiting({ externalWallets: [bySelf(IN_UPPER_CASE), bySelf(OUTSIDE)] });
    onboarding.vendors.houseAddress = HOUSE;
    await approve(requestId);
    await until(requestId, 'active');
    expect(await listed(accountId)).toEqual([OUTSIDE]);
    expect(warnings()).toEqual([
      expect.objectContaining({
        level: 40,
        requestId,
        accountId,
        address: HOUSE,
        'correlation-id': expect.any(String) as string,
      }),
    ]);
  });

  it('whitelists nothing while the addresses of the service are unknown', async () => {
    const { requestId, accountId } = await waiting({ externalWallets: [bySelf(HOUSE)] });
    onboarding.vendors.houseAddressesDown = true;
    await approve(requestId);
    await until(requestId, 'provisioning-failed');
    expect(await listed(accountId)).toEqual([]);
    onboarding.vendors.houseAddressesDown = false;
    onboarding.advance(TWENTY_SECONDS);
    await until(requestId, 'active');
    await eventually(async () => expect(await listed(accountId)).toEqual([HOUSE]));
  });
});
