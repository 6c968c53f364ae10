import type { QuoteRecord } from '@ponte/contracts';
import { ResolvePixKey } from '@ponte/contracts';
import { refusal } from '@ponte/kernel';
import { cluster, refusalOf, useCluster } from '../testing/cluster-for-each-test';
import { orderIdOf } from '../order/order-ids.domain';
import { ACCOUNT, OWN_WALLET } from '../testing/fixtures';

useCluster();

const SALE: Partial<QuoteRecord> = {
  sourceAsset: 'eth-base/brlv',
  targetAsset: 'fiat/brl',
  sourceAmount: '10.000000000000000000',
  targetAmount: '10.00',
};
const TO_KEY = { targetEndUserPixKey: 'sealed:v1:key:1', sourceWalletAddress: OWN_WALLET } as const;

let lookUps: number;
const codes = async (attempt: Promise<unknown>) => (await refusalOf(attempt)).violations.map(({ code }) => code);
beforeEach(() => {
  lookUps = 0;
  cluster.services.before = (pattern) => void (lookUps += pattern === ResolvePixKey.pattern ? 1 : 0);
  const wallet = { kind: 'internal', walletId: 'wallet-1', address: OWN_WALLET } as const;
  cluster.services.wallets.set(`${ACCOUNT} eth-base ${OWN_WALLET}`, wallet);
});

describe('An order with a Pix key', () => {
  it('has the key looked up if nothing else is wrong', async () => {
    expect(await codes(cluster.place(cluster.quote(SALE), TO_KEY))).toEqual(['pix-key-not-found']);
    expect(lookUps).toBe(1);
  });

  it('does not have it looked up if the balance does not cover the order', async () => {
    cluster.services.balances.set(ACCOUNT, 0n);
    expect(await codes(cluster.place(cluster.quote(SALE), TO_KEY))).toEqual(['insufficient-balance']);
    expect(lookUps).toBe(0);
  });

  it('has it looked up by a repeated request whose first attempt holds the balance', async () => {
    const quoteId = cluster.quote(SALE);
    cluster.services.balances.set(ACCOUNT, 0n);
    const hold = { orderId: orderIdOf(quoteId), accountId: ACCOUNT, amount: 1_000n, placedAt: '', isDelivery: false };
    cluster.services.holds.set('earlier', { ...hold, state: 'open' });
    expect(await codes(cluster.place(quoteId, TO_KEY))).toContain('pix-key-not-found');
    expect(lookUps).toBe(1);
  });

  it('is refused, and reserves nothing, if the account has looked too many keys up', async () => {
    const quoteId = cluster.quote(SALE);
    cluster.services.before = (pattern) => {
      if (pattern === ResolvePixKey.pattern) throw refusal('too-many-pix-key-look-ups', 'too many look-ups');
    };
    expect(await codes(cluster.place(quoteId, TO_KEY))).toEqual(['too-many-pix-key-look-ups']);
    expect(cluster.services.holds.size).toBe(0);
  });

  it('does not have it looked up if its wallets hold too little, or a quote has expired', async () => {
    cluster.services.lacksTokens = true;
    expect(await codes(cluster.place(cluster.quote(SALE), TO_KEY))).toEqual(['insufficient-balance']);
    cluster.services.lacksTokens = false;
    const expired = cluster.quote({ ...SALE, expiresAt: new Date(cluster.now).toISOString() });
    expect(await codes(cluster.place(expired, TO_KEY))).toEqual(['quote-expired']);
    expect(lookUps).toBe(0);
  });
});
