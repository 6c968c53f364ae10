import { PlaceHold, ResolveWallet } from '@ponte/contracts';
import { Unavailable } from '@ponte/kernel';
import { freshId } from '@ponte/testing';
import { orderIdOf, settlementIdOf } from '../order/order-ids.domain';
import { cluster, refusalOf, useCluster } from '../testing/cluster-for-each-test';
import { ACCOUNT, OWN_WALLET } from '../testing/fixtures';

useCluster();

const SAVINGS = '0x00000000000000000000000000000000000000ee';
const SALE = {
  sourceAsset: 'eth-base/usdc',
  targetAsset: 'fiat/brl',
  sourceAmount: '10.000000',
  targetAmount: '53.00',
} as const;
const FUNDS = { available: '10.000000', held: '0.000000' };
const named = { sourceWalletAddress: OWN_WALLET };

const pays = (walletId: string, address: string) => {
  const wallet = { kind: 'internal', walletId, address } as const;
  for (const named of [address, '']) cluster.services.wallets.set(`${ACCOUNT} eth-base ${named}`, wallet);
};
/** Executes the work when the ledger refuses a hold because others took the tokens. */
function whenTaken(work: () => void): void {
  cluster.services.before = (pattern) => {
    if (pattern === ResolveWallet.pattern && cluster.services.holdRequests.length > 0) work();
  };
}

beforeEach(() => {
  pays('wallet-1', OWN_WALLET);
  cluster.services.sourceFunds = FUNDS;
});

it('the hold of a sale says which wallet pays, and what that can pay', async () => {
  const quoteId = cluster.quote(SALE);
  await cluster.place(quoteId);
  const source = { walletId: 'wallet-1', movementId: settlementIdOf(orderIdOf(quoteId)) };
  expect(cluster.services.holdRequests).toMatchObject([{ hold: { source }, funds: FUNDS }]);
});

it('the hold of a purchase names no wallet', async () => {
  await cluster.place(cluster.quote());
  const [holdRequest] = cluster.services.holdRequests;
  expect([holdRequest?.hold.source, holdRequest?.funds]).toEqual([undefined, undefined]);
});

describe('If another request takes the tokens of the wallet first, the order', () => {
  beforeEach(() => {
    cluster.services.sourcesTaken = 1;
  });

  it('is paid by another wallet if it names none', async () => {
    whenTaken(() => pays('wallet-2', SAVINGS));
    const order = await cluster.place(cluster.quote(SALE));
    expect(order).toMatchObject({ state: 'created', sourceWalletAddress: SAVINGS });
    expect(cluster.services.holdRequests.map(({ hold }) => hold.source?.walletId)).toEqual(['wallet-1', 'wallet-2']);
    expect(cluster.services.openHolds()).toHaveLength(1);
  });

  it.each([
    ['none', {}, 'no wallet of the account holds'],
    ['one', named, 'name a wallet that holds all of it'],
  ])('is refused if it names %s and there is no other', async (_, over, text) => {
    whenTaken(() => {
      cluster.services.lacksTokens = true;
    });
    const { violations } = await refusalOf(cluster.place(cluster.quote(SALE), over));
    expect(violations).toEqual([
      { code: 'insufficient-balance', path: 'source-wallet-address', message: expect.stringContaining(text) as string },
    ]);
    expect(cluster.services.openHolds()).toEqual([]);
    expect(await cluster.store.head()).toBeUndefined();
  });

  it('is refused after three attempts, and can be repeated', async () => {
    cluster.services.sourcesTaken = 3;
    const quoteId = cluster.quote(SALE);
    const { violations } = await refusalOf(cluster.place(quoteId, named));
    expect(violations).toMatchObject([{ code: 'insufficient-balance', path: 'source-wallet-address' }]);
    expect([cluster.services.holdRequests.length, cluster.services.openHolds()]).toEqual([3, []]);
    expect(await cluster.place(quoteId, named)).toMatchObject({ state: 'created' });
  });
});

it('a repeated acceptance never spends a wallet other than the one that its hold names', async () => {
  const [quoteId, key] = [cluster.quote(SALE), freshId()];
  const place = () => cluster.place(quoteId, {}, key);
  cluster.services.after = (pattern) => {
    if (pattern === PlaceHold.pattern) throw new Unavailable('service-unavailable');
  };
  await expect(place()).rejects.toThrow(Unavailable);
  cluster.services.after = () => undefined;
  pays('wallet-2', SAVINGS);
  await expect(place()).rejects.toThrow(Unavailable);
  pays('wallet-1', OWN_WALLET);
  expect(await place()).toMatchObject({ state: 'created', sourceWalletAddress: OWN_WALLET });
  expect(cluster.services.openHolds()).toHaveLength(1);
});
