import { freshId } from '@ponte/testing';
import { cluster, refusalOf, useCluster } from '../testing/cluster-for-each-test';
import { ACCOUNT, OWN_WALLET } from '../testing/fixtures';

useCluster();

const SALE = {
  sourceAsset: 'eth-base/usdc',
  targetAsset: 'fiat/brl',
  sourceAmount: '10.000000',
  targetAmount: '53.00',
} as const;
const named = { sourceWalletAddress: OWN_WALLET };

beforeEach(() => {
  const wallet = { kind: 'internal', walletId: 'wallet-1', address: OWN_WALLET } as const;
  for (const address of [OWN_WALLET, '']) cluster.services.wallets.set(`${ACCOUNT} eth-base ${address}`, wallet);
  cluster.services.lacksTokens = true;
});

it.each([
  ['the named wallet holds', named, 'name a wallet that holds all of it'],
  ['each wallet of the account holds', {}, 'no wallet of the account holds the whole source amount'],
])('an order is refused, and nothing is reserved, if %s less than the source amount', async (_, over, text) => {
  const [quoteId, commandId] = [cluster.quote(SALE), freshId()];
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const { violations } = await refusalOf(cluster.place(quoteId, over, commandId));
    expect(violations).toEqual([
      { code: 'insufficient-balance', path: 'source-wallet-address', message: expect.stringContaining(text) as string },
    ]);
  }
  expect(await cluster.store.head()).toBeUndefined();
  expect(cluster.services.openHolds()).toEqual([]);
});

it.each([
  ['the named wallet', named],
  ['each wallet of the account', {}],
])(
  'an order above the balance of the account is refused for that only, although %s holds too little',
  async (_, over) => {
    cluster.services.balances.set(ACCOUNT, 9_99n);
    const { violations } = await refusalOf(cluster.place(cluster.quote(SALE), over));
    expect(violations).toEqual([
      {
        code: 'insufficient-balance',
        path: 'quote-id',
        message: expect.stringContaining('the available balance') as string,
      },
    ]);
  },
);

it('the wallet of the target is not asked whether it holds the tokens', async () => {
  await expect(cluster.place(cluster.quote())).resolves.toMatchObject({ state: 'created' });
});
