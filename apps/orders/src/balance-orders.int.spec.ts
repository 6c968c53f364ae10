import { isoTime } from '@ponte/kernel';
import { eventually, freshId } from '@ponte/testing';
import { NOT_SETTLED } from './order/order-failures.domain';
import { START } from './testing/cluster';
import { ACCOUNT, OWN_WALLET, PARTNER, WHITELISTED } from './testing/fixtures';
import { cluster, refusalOf, useCluster } from './testing/cluster-for-each-test';
useCluster();

describe('an order from the balance', () => {
  it('is held, placed, minted, posted and completed', async () => {
    const order = await cluster.place(cluster.quote());
    expect(order).toMatchObject({
      state: 'created',
      accountId: ACCOUNT,
      targetWalletAddress: OWN_WALLET,
      createdAt: isoTime(START),
      paymentMethod: 'account-balance',
      brcode: null,
      expiration: null,
    });
    expect((await cluster.list()).items).toEqual([expect.objectContaining({ id: order.id })]);
    await cluster.settles(order.id);
    const completed = await cluster.reaches(order.id, 'completed');
    expect(completed.txHash).toBe(`0x${cluster.settlementOf(order.id).settlementId}`);
    expect(cluster.settlementOf(order.id)).toMatchObject({
      asset: 'eth-base/brlv',
      amount: '10.000000000000000000',
      wallet: OWN_WALLET,
    });
    expect(cluster.services.balances.get(ACCOUNT)).toBe(990_00n);
    expect(cluster.services.openHolds()).toEqual([]);
    expect(await cluster.facts(order.id)).toEqual(['OrderPlaced', 'OrderProcessingStarted', 'OrderCompleted']);
    await eventually(async () => expect((await cluster.list({ state: 'completed' })).items).toHaveLength(1));
  });

  it('is rolled back and its funds are released when the mint fails', async () => {
    const { id } = await cluster.place(cluster.quote());
    await cluster.services.revert(await eventually(() => cluster.settlementOf(id)));
    expect((await cluster.reaches(id, 'rolled-back')).failure).toEqual(NOT_SETTLED);
    expect(cluster.services.available(ACCOUNT)).toBe(1_000_00n);
  });

  it('is refused without enough balance, and leaves no trace', async () => {
    const dear = cluster.quote({ sourceAmount: '1000.01' });
    expect((await refusalOf(cluster.place(dear, { externalId: 'ref-1' }))).violations).toEqual([
      expect.objectContaining({ code: 'insufficient-balance', path: 'quote-id' }),
    ]);
    expect(await cluster.store.head()).toBeUndefined();
    // The external id is free again for an order that can be paid.
    expect(await cluster.place(cluster.quote(), { externalId: 'ref-1' })).toMatchObject({ externalId: 'ref-1' });
    // The same quote may still be accepted once there is money.
    cluster.services.balances.set(ACCOUNT, 2_000_00n);
    expect(await cluster.place(dear)).toMatchObject({ state: 'created' });
  });

  it('goes to a whitelisted wallet outside our custody', async () => {
    const { id } = await cluster.place(cluster.quote(), {
      targetWalletAddress: WHITELISTED.toUpperCase().replace('0X', '0x'),
    });
    await eventually(() => expect(cluster.settlementOf(id).wallet).toBe(WHITELISTED));
  });

  it('is refused with every violation at once, and nothing is written', async () => {
    cluster.services.accounts.set(ACCOUNT, {
      ...(cluster.services.accounts.get(ACCOUNT) as never as object),
      status: 'frozen',
    } as never);
    const faults = (
      await refusalOf(
        cluster.place(cluster.quote(), { targetEndUserPixKey: 'sealed:v1:key:1', targetWalletAddress: OWN_WALLET }),
      )
    ).violations.map(({ code }) => code);
    expect(faults).toEqual(['account-not-active', 'pix-key-not-allowed-for-pair', 'wallet-not-allowed']);
    expect(await cluster.store.head()).toBeUndefined();
  });

  it('of a v0 quote can be placed on a sub-account that satisfies the terms of the quote', async () => {
    const family = { accountId: PARTNER, scope: 'family' } as const;
    const asParent = { callerAccountId: PARTNER };
    const { violations } = await refusalOf(cluster.place(cluster.quote(family), asParent));
    expect(violations).toEqual([expect.objectContaining({ code: 'rate-lock-not-enabled', path: 'quote-id' })]);
    cluster.services.accounts.set(ACCOUNT, {
      ...(cluster.services.accounts.get(ACCOUNT) as never as object),
      capabilities: ['rate-lock-1h'],
    } as never);
    const { id } = await cluster.place(cluster.quote(family), asParent);
    const [made] = await cluster.store.read(`order-${id}`);
    expect(made?.data).toMatchObject({ accountId: ACCOUNT, createdBy: PARTNER, createdByApiKey: 'ak_test_1' });
    expect((await refusalOf(cluster.place(cluster.quote(family)))).code).toBe('quote-not-found');
    expect(await cluster.place(cluster.quote({ scope: 'family' }), asParent)).toMatchObject({ accountId: ACCOUNT });
  });
});

describe('an external id', () => {
  it('can be used once per account, and its reuse is reported together with the other violations', async () => {
    await cluster.place(cluster.quote(), { externalId: 'ref-1' });
    const { violations } = await refusalOf(
      cluster.place(cluster.quote(), { externalId: 'ref-1', targetEndUserPixKey: 'sealed:v1:key:1' }),
    );
    expect(violations.map(({ code }) => code)).toEqual(['pix-key-not-allowed-for-pair', 'external-id-already-used']);
    const both = await Promise.allSettled([
      cluster.place(cluster.quote(), { externalId: 'ref-2' }),
      cluster.place(cluster.quote(), { externalId: 'ref-2' }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});

describe('the list of orders', () => {
  it('can be filtered and is paged, newest first', async () => {
    const ids: string[] = [];
    for (const externalId of ['a', 'b', 'c', 'd', 'e']) {
      cluster.now += 1;
      ids.unshift((await cluster.place(cluster.quote(), { externalId })).id);
    }
    const seen: string[] = [];
    for (let cursor = null; ;) {
      const { items, next }: Awaited<ReturnType<typeof cluster.list>> = await cluster.list({}, { limit: 2, cursor });
      seen.push(...items.map(({ id }) => id));
      if (!next) break;
      cursor = next as never;
    }
    expect(seen).toEqual(ids);
    expect((await cluster.list({ externalId: 'c' })).items.map(({ id }) => id)).toEqual([ids[2]]);
    expect((await cluster.list({ targetAsset: 'tempo/brlv' })).items).toEqual([]);
    expect(await cluster.get(ids[0] ?? '', PARTNER)).toBeNull();
    expect(await cluster.get(freshId())).toBeNull();
  });

  it('catches up after it could not be written, and accepting an order succeeds in the meantime', async () => {
    const readModels = cluster.running[0]?.engines.readModels as unknown as {
      schema: { alterTable(name: string): { renameTo(name: string): { execute(): Promise<void> } } };
    };
    await readModels.schema.alterTable('orders').renameTo('away').execute();
    const { id } = await cluster.place(cluster.quote());
    expect(await cluster.get(id)).toMatchObject({ id });
    await readModels.schema.alterTable('away').renameTo('orders').execute();
    await eventually(async () => expect((await cluster.list()).items).toHaveLength(1));
  });
});
