import type { WalletAddressClaimed } from '@ponte/contracts';
import { CreateWallet } from '@ponte/contracts';
import type { CertificatesUnderTest } from '../testing/certificates-under-test';
import { OTHER, OWNER, uuid } from '../testing/certificates-under-test';
import { CertificatesForEachTest } from '../testing/certificates-for-each-test';
import { codeOf } from '../testing/simulated-chains';
import { AccountWallets } from './account-wallets.service';
import { MAX_WALLETS_PER_CHAIN } from './wallet-slots.decider';

const service = CertificatesForEachTest.of();
let movements: CertificatesUnderTest;
beforeEach(async () => {
  movements = service.movements;
  await Promise.all([OWNER, OTHER].map((accountId) => movements.wallet(accountId)));
});

const create = (walletId = uuid(), accountId = OWNER, chain: 'eth-base' | 'tempo' = 'eth-base') =>
  movements.bus.request(
    CreateWallet,
    { accountId, walletId, name: 'Savings', chain, metadata: {}, uiEnabled: false },
    movements.context(),
  );
const outcomes = async (requests: readonly Promise<unknown>[]) => {
  const codes = await Promise.all(requests.map(codeOf));
  return { accepted: codes.filter((one) => one === 'accepted').length, refused: new Set(codes.slice().sort()) };
};
const walletsOf = (accountId: string) =>
  movements.ofType('WalletCreated').filter(({ data }) => (data as { accountId: string }).accountId === accountId);

describe('the wallets of an account on a chain', () => {
  it('never exceed the limit, including the main wallet, however many are created at once', async () => {
    const before = walletsOf(OWNER).length;
    const { accepted, refused } = await outcomes(Array.from({ length: 40 }, () => create()));
    expect(refused).toEqual(new Set(['accepted', 'limit-exceeded']));
    expect(accepted).toBe(MAX_WALLETS_PER_CHAIN - 1);
    expect(walletsOf(OWNER)).toHaveLength(before + MAX_WALLETS_PER_CHAIN - 1);
    expect(await codeOf(create())).toBe('limit-exceeded');
  });

  it('are counted per account and chain', async () => {
    await outcomes(Array.from({ length: 20 }, () => create()));
    expect(await codeOf(create())).toBe('limit-exceeded');
    await expect(create(uuid(), OWNER, 'tempo')).resolves.toMatchObject({ chain: 'tempo' });
    await expect(create(uuid(), OTHER)).resolves.toMatchObject({ accountId: OTHER });
  });

  it('take one slot for a repeated request, even beyond the limit', async () => {
    const walletId = uuid();
    const [first, second] = await Promise.all([create(walletId), create(walletId)]);
    expect(second).toEqual(first);
    const { accepted } = await outcomes(Array.from({ length: 20 }, () => create()));
    expect(accepted).toBe(MAX_WALLETS_PER_CHAIN - 2);
    await expect(create(walletId)).resolves.toEqual(first);
  });

  it('do not exist on a second chain for which the same wallet id was requested', async () => {
    const walletId = uuid();
    const { address } = await create(walletId);
    await codeOf(create(walletId, OWNER, 'tempo'));
    const wallets = movements.part(AccountWallets);
    expect(await wallets.receiverAt('eth-base', address)).toMatchObject({ accountId: OWNER, walletId });
    for (const { data } of movements.ofType('WalletAddressClaimed')) {
      const { chain, address: claimed, walletId: of } = data as WalletAddressClaimed['data'];
      if (of === walletId && chain === 'tempo') expect(await wallets.receiverAt(chain, claimed)).toBeNull();
    }
    expect(movements.ofType('WalletAddressClaimed').at(-1)?.data).toMatchObject({ walletId, chain: 'tempo' });
  });

  it('take no slot when the account is not active', async () => {
    movements.statuses.set(OWNER, 'frozen');
    expect(await codeOf(create())).toBe('account-not-active');
    expect(movements.ofType('WalletSlotTaken')).toEqual([]);
  });
});
