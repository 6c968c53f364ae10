import type { PlaceOrderPayload, QuoteRecord } from '@ponte/contracts';
import { cluster, refusalOf, useCluster } from '../testing/cluster-for-each-test';
import { ACCOUNT, OWN_WALLET } from '../testing/fixtures';

useCluster();

const SALE: Partial<QuoteRecord> = {
  sourceAsset: 'eth-base/brlv',
  targetAsset: 'fiat/brl',
  sourceAmount: '10.000000000000000000',
  targetAmount: '10.00',
};

describe('An order of a token that has no contract on its chain', () => {
  it.each<[string, Partial<QuoteRecord>, Partial<PlaceOrderPayload>]>([
    ['bought from the balance', {}, {}],
    ['bought by Pix code', {}, { sourcePaymentMethod: 'brcode' }],
    ['sold', SALE, { sourceWalletAddress: OWN_WALLET }],
  ])('is refused when it is %s, and nothing is reserved', async (_, terms, over) => {
    const wallet = { kind: 'internal', walletId: 'wallet-1', address: OWN_WALLET } as const;
    cluster.services.wallets.set(`${ACCOUNT} eth-base ${OWN_WALLET}`, wallet);
    cluster.services.lacksContracts = true;
    const { violations } = await refusalOf(cluster.place(cluster.quote(terms), over));
    expect(violations.map(({ code, path }) => `${code} ${path}`)).toEqual(['asset-pair-not-supported quote-id']);
    expect(await cluster.store.head()).toBeUndefined();
    expect([cluster.services.openHolds(), cluster.services.charges.size]).toEqual([[], 0]);
    expect(cluster.services.available(ACCOUNT)).toBe(1_000_00n);
  });
});
