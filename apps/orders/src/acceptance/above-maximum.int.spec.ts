import type { PlaceOrderPayload, QuoteRecord } from '@ponte/contracts';
import { CheckAcceptance } from '@ponte/contracts';
import { freshId } from '@ponte/testing';
import { cluster, refusalOf, useCluster } from '../testing/cluster-for-each-test';
import { ACCOUNT, OWN_WALLET, requestFor } from '../testing/fixtures';

useCluster();

const BUY: Partial<QuoteRecord> = { sourceAmount: '10.01', targetAmount: '10.010000000000000000' };
const BUY_MOST: Partial<QuoteRecord> = { sourceAmount: '10.00', targetAmount: '10.000000000000000000' };
const SALE = { sourceAsset: 'eth-base/brlv', targetAsset: 'fiat/brl' } as const;
const SELL = { ...SALE, sourceAmount: '10.010000000000000000', targetAmount: '10.01' };
const SELL_MOST = { ...SALE, sourceAmount: '10.000000000000000000', targetAmount: '10.00' };
const FROM_WALLET = { sourceWalletAddress: OWN_WALLET };

let requestedPatterns: string[];
beforeEach(() => {
  requestedPatterns = [];
  cluster.services.mostTokens = '10';
  cluster.services.before = (pattern) => void requestedPatterns.push(pattern);
  cluster.services.wallets.set(`${ACCOUNT} eth-base ${OWN_WALLET}`, {
    kind: 'internal',
    walletId: 'wallet-1',
    address: OWN_WALLET,
  });
});

const violationsOf = async (attempt: Promise<unknown>) =>
  (await refusalOf(attempt)).violations.map(({ code, path }) => `${code} ${path}`);
const dryRun = (quoteId: string, over: Partial<PlaceOrderPayload>) => {
  const [running] = cluster.running;
  if (!running) throw new Error('no process is running');
  const commandId = freshId();
  const context = { commandId, correlationId: commandId, actor: 'ak_test_1' };
  return running.engines.bus.request(CheckAcceptance, requestFor(quoteId, over), context);
};

describe('An order of more tokens than one transaction may move', () => {
  it.each<[string, Partial<QuoteRecord>, Partial<PlaceOrderPayload>]>([
    ['bought from the balance', BUY, {}],
    ['bought by Pix code', BUY, { sourcePaymentMethod: 'brcode' }],
    ['sold', SELL, FROM_WALLET],
  ])('is refused when they are %s, even when it is repeated, and nothing is reserved', async (_, terms, over) => {
    const [quoteId, commandId] = [cluster.quote(terms), freshId()];
    for (const attempt of [
      () => cluster.place(quoteId, over, commandId),
      () => cluster.place(quoteId, over, commandId),
      () => dryRun(quoteId, over),
    ])
      expect(await violationsOf(attempt())).toEqual(['amount-above-maximum quote-id']);
    expect(await cluster.store.head()).toBeUndefined();
    expect([cluster.services.openHolds(), cluster.services.charges.size]).toEqual([[], 0]);
    expect(cluster.services.available(ACCOUNT)).toBe(1_000_00n);
  });

  it('is refused with the other violations, even if its wallet is not an address', async () => {
    const over = { targetWalletAddress: '0x1', externalId: 'e-1' };
    await cluster.place(cluster.quote(), { externalId: 'e-1' });
    expect(await violationsOf(cluster.place(cluster.quote(BUY), over))).toEqual([
      'invalid-address target-wallet-address',
      'amount-above-maximum quote-id',
      'external-id-already-used external-id',
    ]);
  });
});

describe('An order of exactly what one transaction may move', () => {
  it.each<[string, Partial<QuoteRecord>, Partial<PlaceOrderPayload>]>([
    ['bought', BUY_MOST, {}],
    ['sold', SELL_MOST, FROM_WALLET],
  ])('is accepted when it is %s, and costs no further request', async (_, terms, over) => {
    expect(await cluster.place(cluster.quote(terms), over)).toMatchObject({ state: 'created' });
    expect(requestedPatterns.filter((pattern) => pattern.startsWith('movements.query.'))).toEqual([
      'movements.query.resolve-wallet',
    ]);
  });
});
