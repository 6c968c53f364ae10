import * as contracts from '@ponte/contracts';
import { toAppend } from '@ponte/event-sourcing';
import { Refusal } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { closingOf } from '../account-closing/closing.testing';
import { OnboardingUnderTest } from '../testing/onboarding-under-test';
import { bySelf, cpfOf, openParent, postReliance } from '../testing/people';
import { codes, requestsOf } from '../testing/requests';

const LISTED = `0x${'5a'.repeat(20)}`;
let onboarding: OnboardingUnderTest;
let parentId: string;
beforeEach(async () => {
  onboarding = await OnboardingUnderTest.start();
  parentId = await openParent(onboarding, 'reliance');
});
afterEach(() => onboarding.stop());

const whitelist = (address: string, accountId = parentId, fx = false) =>
  onboarding
    .ask(contracts.WhitelistWallet, { accountId, address, fx, source: 'operator' })
    .then(() => 'listed')
    .catch((error: unknown) => (error instanceof Refusal ? error.code : Promise.reject(error as Error)));
const listed = async () =>
  (await onboarding.ask(contracts.GetWhitelistedWallets, { accountId: parentId })).wallets.map(
    ({ address }) => address,
  );

describe('A wallet that an operator whitelists', () => {
  it('is added only after staff have cleared its address', async () => {
    onboarding.vendors.addresses.set(LISTED, 'waits');
    expect([await whitelist(LISTED), await listed()]).toEqual(['address-under-review', []]);
    onboarding.vendors.addresses.set(LISTED, 'clear');
    expect([await whitelist(LISTED), await listed()]).toEqual(['listed', [LISTED]]);
  });

  it('is refused if it is an address of the service, in any letter case', async () => {
    onboarding.vendors.houseAddress = LISTED;
    onboarding.vendors.addresses.set(LISTED, 'waits');
    for (const written of [LISTED, `0x${'5A'.repeat(20)}`])
      expect([await whitelist(written), await listed()]).toEqual(['invalid-address', []]);
  });

  it('is refused permanently after a true match', async () => {
    onboarding.vendors.addresses.set(LISTED, 'refused');
    expect([await whitelist(LISTED), await listed()]).toEqual(['address-refused', []]);
  });
});

describe('A wallet that an operator whitelists for one account', () => {
  const WALLET = `0x${'7c'.repeat(20)}`;
  const registered = 'external-wallet-already-registered';
  const request = (nine: number) =>
    codes(postReliance(onboarding, parentId, cpfOf(nine), { externalWallets: [bySelf(WALLET)] }));
  const count = async (wanted: string) => (await onboarding.events()).filter(({ type }) => type === wanted).length;
  /** Records what an earlier release did: the wallet is whitelisted without a reservation. */
  async function whitelistedBefore(accountId: string): Promise<void> {
    const event = new contracts.WalletWhitelisted({
      ...{ accountId, address: WALLET, fx: false, source: 'operator' },
    });
    const at = new Date().toISOString();
    const records = toAppend([event], [contracts.WalletWhitelisted], onboarding.context(), at);
    await onboarding.engines.store.append(`account-${accountId}`, 0, records);
  }

  it('is refused as the external wallet of another, and for another account', async () => {
    expect(await whitelist(WALLET)).toBe('listed');
    expect(await request(123_456_791)).toEqual([`${registered} external-wallets[0]`]);
    const other = await openParent(onboarding, 'reliance');
    expect(await whitelist(WALLET, other)).toBe(registered);
    // The account itself may whitelist it again, also with other capitals.
    expect(await whitelist(`0x${'7C'.repeat(20)}`)).toBe('listed');
    expect(await listed()).toEqual([WALLET]);
  });

  it('is refused if it is registered to the account of a request, until that request has ended', async () => {
    const partner = await openParent(onboarding);
    const { made } = requestsOf(() => ({ onboarding, parentId: partner }));
    const { requestId } = await made({ externalWallets: [bySelf(WALLET)] });
    expect([await whitelist(WALLET), await listed()]).toEqual([registered, []]);
    await onboarding.ask(contracts.CancelAccountRequest, { parentId: partner, requestId });
    expect(await whitelist(WALLET)).toBe('listed');
  });

  it('is free again once that account is closed', async () => {
    expect(await whitelist(WALLET)).toBe('listed');
    await closingOf(() => onboarding).close(parentId);
    const other = await openParent(onboarding, 'reliance');
    expect(await whitelist(WALLET, other)).toBe('listed');
  });

  it('is reserved by the reader of the log if an earlier release whitelisted it', async () => {
    await whitelistedBefore(parentId);
    await eventually(async () => expect(await count('ReservationClaimed')).toBe(1));
    expect(await request(123_456_793)).toEqual([`${registered} external-wallets[0]`]);
  });

  it('can get the FX right for each account that has it, if an earlier release whitelisted it for two', async () => {
    const other = await openParent(onboarding, 'reliance');
    for (const accountId of [parentId, other]) await whitelistedBefore(accountId);
    await eventually(async () => expect(await count('ReservationClaimed')).toBe(1));
    // The process has cached the accounts as they were before. A conflict makes it read them again.
    expect(await whitelist(`0x${'7d'.repeat(20)}`, parentId)).toBe('listed');
    expect(await whitelist(`0x${'7e'.repeat(20)}`, other)).toBe('listed');
    for (const accountId of [parentId, other]) {
      // Repeating what the account has already changes nothing.
      expect(await whitelist(WALLET, accountId)).toBe('listed');
      expect(await whitelist(`0x${'7C'.repeat(20)}`, accountId, true)).toBe('listed');
      const { wallets } = await onboarding.ask(contracts.GetWhitelistedWallets, { accountId });
      expect(wallets).toContainEqual({ address: WALLET, fx: true });
    }
    expect(await whitelist(WALLET, await openParent(onboarding, 'reliance'))).toBe(registered);
  });
});

describe('An external wallet of an account request', () => {
  it('that is on a sanctions list is a hit of the holder, which needs four eyes', async () => {
    onboarding.vendors.addresses.set(LISTED, 'waits');
    await postReliance(onboarding, parentId, cpfOf(123_456_789), { externalWallets: [bySelf(LISTED)] });
    await eventually(async () => {
      const screened = (await onboarding.events()).filter(({ type }) => type === 'ScreeningRecorded');
      expect(screened.map(({ data }) => (data as { hits: readonly object[] }).hits)).toEqual([
        [expect.objectContaining({ list: 'ofac-sdn', entryId: '36987', score: 100 })],
      ]);
    });
  });

  it('is a hit of its own if another wallet of the request belongs to the same entry, and reviewers see both addresses', async () => {
    const other = `0x${'6b'.repeat(20)}`;
    for (const address of [LISTED, other]) onboarding.vendors.addresses.set(address, 'waits');
    await postReliance(onboarding, parentId, cpfOf(123_456_790), { externalWallets: [LISTED, other].map(bySelf) });
    await eventually(async () => {
      const [screened] = (await onboarding.events()).filter(({ type }) => type === 'ScreeningRecorded');
      const { hits } = screened?.data as contracts.ScreeningRecorded['data'];
      expect(await Promise.all(hits.map(({ match }) => onboarding.engines.personalData.open(match)))).toEqual([
        `external wallet ${LISTED}`,
        `external wallet ${other}`,
      ]);
    });
  });
});
