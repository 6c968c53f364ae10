import type { AccountRecord } from '@ponte/contracts';
import { Refusal, isoTime } from '@ponte/kernel';
import { MemoryEventStore, eventually, freshId } from '@ponte/testing';
import { NOT_SETTLED } from './order/order-failures.domain';
import { orderIdOf } from './order/order-ids.domain';
import type { Tools } from './testing/cluster';
import { Cluster, START } from './testing/cluster';
import { ACCOUNT, OWN_WALLET, PARTNER, VALID_SECONDS, WHITELISTED } from './testing/fixtures';

const SECOND = 1_000;
const refusalOf = (attempt: Promise<unknown>): Promise<Refusal> =>
  attempt.then(
    () => {
      throw new Error('it was not refused');
    },
    (error: unknown) => {
      if (error instanceof Refusal) return error;
      throw error;
    },
  );

const tools: Tools<MemoryEventStore> = {
  open: (soleWriter, before) => new MemoryEventStore({ soleWriter, log: before?.log }),
  eventually,
  freshId,
};
let cluster: Cluster<MemoryEventStore>;
beforeEach(async () => {
  cluster = new Cluster(tools);
  await cluster.boot();
});
afterEach(() => cluster.stop());

const brcode = { sourcePaymentMethod: 'brcode' } as const;

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
    const done = await cluster.reaches(order.id, 'completed');
    expect(done.txHash).toBe(`0x${cluster.settlementOf(order.id).settlementId}`);
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

  it('is rolled back with its money released when the mint fails', async () => {
    const { id } = await cluster.place(cluster.quote());
    await cluster.services.revert(await eventually(() => cluster.settlementOf(id)));
    expect((await cluster.reaches(id, 'rolled-back')).failure).toEqual(NOT_SETTLED);
    expect(cluster.services.available(ACCOUNT)).toBe(1_000_00n);
  });

  it('is refused without enough balance, and nothing is left of it', async () => {
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

  it('of a v0 quote runs on a sub-account when the quote suits it', async () => {
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

describe('an order by brcode', () => {
  it('waits for the Pix, then is minted and completed', async () => {
    const order = await cluster.place(cluster.quote(), brcode);
    expect(order).toMatchObject({
      state: 'created',
      brcode: expect.stringContaining('000201'),
      expiration: isoTime(START + 900 * SECOND),
    });
    expect(cluster.services.settlements.size).toBe(0);
    await cluster.services.pay(cluster.chargeOf(order.id));
    await cluster.settles(order.id);
    await cluster.reaches(order.id, 'completed');
    expect(cluster.services.balances.get(ACCOUNT)).toBe(1_000_00n);
    expect(cluster.services.openHolds()).toEqual([]);
  });

  it('of an account that was frozen meanwhile: nothing is signed until its release, and then it completes', async () => {
    const { id } = await cluster.place(cluster.quote(), brcode);
    const account = cluster.services.accounts.get(ACCOUNT) as AccountRecord;
    cluster.services.accounts.set(ACCOUNT, { ...account, status: 'frozen' });
    await cluster.services.pay(cluster.chargeOf(id));
    await cluster.reaches(id, 'processing');
    await eventually(async () => expect((await cluster.list({ state: 'processing' })).items).toHaveLength(1));
    expect(cluster.services.settlements.size).toBe(0);
    cluster.services.accounts.set(ACCOUNT, account);
    await cluster.services.release(ACCOUNT);
    await cluster.settles(id);
    await cluster.reaches(id, 'completed');
    expect(cluster.services.settlements.size).toBe(1);
  });

  it('can be paid in the millisecond of its expiration, and is closed and rolled back afterwards', async () => {
    const { id } = await cluster.place(cluster.quote(), brcode);
    cluster.now = START + 900 * SECOND;
    await cluster.expire();
    expect((await cluster.get(id))?.state).toBe('created');
    cluster.now += 1;
    await cluster.expire();
    expect((await cluster.get(id))?.failure).toMatchObject({ code: 'brcode-expired' });
    expect((await cluster.list({ state: 'rolled-back' })).items).toHaveLength(1);
    await cluster.expire();
    expect(await cluster.facts(id)).toEqual(['OrderPlaced', 'OrderRolledBack']);
  });

  it("ends by the service's own timer, which stops with the process", async () => {
    const { id } = await cluster.place(cluster.quote(), brcode);
    cluster.now = START + 900 * SECOND + 1;
    cluster.running[0]?.engines.timers.start();
    expect((await cluster.reaches(id, 'rolled-back')).failure).toMatchObject({
      code: 'brcode-expired',
      retryable: true,
    });
    await cluster.running[0]?.engines.timers.stop();
  });

  // Reliability C1: a payment that settled in time and was reported late is honoured.
  it('that settled in time and was reported late is honoured', async () => {
    const { id } = await cluster.place(cluster.quote(), brcode);
    await cluster.services.pay(cluster.chargeOf(id), false);
    cluster.now = START + 3_600 * SECOND;
    await cluster.expire();
    await cluster.settles(id);
    await cluster.reaches(id, 'completed');
  });

  it.each(['paid-late', 'amount-mismatch', 'payer-tax-id-mismatch'] as const)(
    'that was %s is rolled back',
    async (reason) => {
      const { id } = await cluster.place(cluster.quote(), brcode);
      await cluster.services.mispay(cluster.chargeOf(id), reason);
      expect((await cluster.reaches(id, 'rolled-back')).failure).toMatchObject({ code: reason });
      expect(cluster.services.settlements.size).toBe(0);
    },
  );

  it('gives its payment back when the mint fails', async () => {
    const { id } = await cluster.place(cluster.quote(), brcode);
    await cluster.services.pay(cluster.chargeOf(id));
    await cluster.services.revert(await eventually(() => cluster.settlementOf(id)));
    await cluster.reaches(id, 'rolled-back');
    expect(cluster.services.returned).toEqual([cluster.chargeOf(id)]);
    expect(cluster.services.balances.get(ACCOUNT)).toBe(1_000_00n);
  });

  it('returns a payment that comes after it was rolled back', async () => {
    const { id } = await cluster.place(cluster.quote(), brcode);
    await cluster.services.mispay(cluster.chargeOf(id), 'amount-mismatch');
    await cluster.reaches(id, 'rolled-back');
    await cluster.services.pay(cluster.chargeOf(id));
    await eventually(() => expect(cluster.services.returned).toEqual([cluster.chargeOf(id)]));
    expect(await cluster.facts(id)).toEqual(['OrderPlaced', 'OrderRolledBack']);
  });

  it("returns a payment that no order needs: of a loser's charge, or of no order at all", async () => {
    const quoteId = cluster.quote();
    const { id } = await cluster.place(quoteId, brcode);
    const open = cluster.services.charges.get(cluster.chargeOf(id));
    if (!open) throw new Error('no charge');
    for (const orderId of [id, orderIdOf('never placed')]) {
      const txid = freshId();
      cluster.services.charges.set(txid, { ...open, txid, orderId });
      await cluster.services.pay(txid);
      await eventually(() => expect(cluster.services.returned).toContain(txid));
    }
    expect((await cluster.get(id))?.state).toBe('created');
    expect(await cluster.facts(orderIdOf('never placed'))).toEqual(['AcceptanceAbandoned']);
  });
});

describe('a quote is accepted once', () => {
  it('by 50 at a time: one order, and every other hold is released', async () => {
    const quoteId = cluster.quote();
    const attempts = await Promise.allSettled(
      Array.from({ length: 50 }, (_, at) => cluster.place(quoteId, { externalId: `ref-${at}` })),
    );
    const won = attempts.filter((one) => one.status === 'fulfilled');
    expect(won).toHaveLength(1);
    for (const one of attempts)
      if (one.status === 'rejected')
        expect(one.reason).toMatchObject({
          code: 'quote-already-accepted',
          violations: [{ 'order-id': orderIdOf(quoteId) }],
        });
    expect(cluster.services.openHolds()).toHaveLength(1);
    expect((await cluster.list()).items).toHaveLength(1);
    await cluster.settles(orderIdOf(quoteId));
    await cluster.reaches(orderIdOf(quoteId), 'completed');
    // The external ids of the others are free.
    const winner = won[0]?.status === 'fulfilled' ? won[0].value.externalId : null;
    for (const at of [0, 1, 2])
      if (`ref-${at}` !== winner) await cluster.place(cluster.quote(), { externalId: `ref-${at}` });
  });

  it("by brcode and balance at once: one order, the other's charge closed or hold released", async () => {
    const quoteId = cluster.quote();
    const attempts = await Promise.allSettled([
      cluster.place(quoteId, brcode),
      cluster.place(quoteId),
      cluster.place(quoteId, brcode),
      cluster.place(quoteId),
    ]);
    expect(attempts.filter((one) => one.status === 'fulfilled')).toHaveLength(1);
    const open = [...cluster.services.charges.values()].filter(({ outcome }) => outcome.state === 'open').length;
    expect(open + cluster.services.openHolds().length).toBe(1);
  });

  it('the same command again is answered as the first time, alone or twice at once', async () => {
    const quoteId = cluster.quote();
    const commandId = freshId();
    const twins = await Promise.all([
      cluster.place(quoteId, { externalId: 'ref-1' }, commandId),
      cluster.place(quoteId, { externalId: 'ref-1' }, commandId),
    ]);
    expect(twins[0]).toEqual(twins[1]);
    cluster.now = START + VALID_SECONDS * SECOND;
    expect(await cluster.place(quoteId, { externalId: 'ref-1' }, commandId)).toEqual(twins[0]);
    expect(cluster.services.holds.size).toBe(1);
    const { violations } = await refusalOf(cluster.place(quoteId, {}, freshId()));
    expect(violations[0]).toMatchObject({ code: 'quote-already-accepted', 'order-id': twins[0]?.id });
    // "After 24 h the resource's current state is the answer."
    await cluster.reaches(orderIdOf(quoteId), 'processing');
    cluster.now = START + 86_400 * SECOND;
    expect(await cluster.place(quoteId, { externalId: 'ref-1' }, commandId)).toMatchObject({
      id: twins[0]?.id,
      state: 'processing',
    });
  });

  // Reliability F2: what belongs to another account looks like what is not there.
  it('a stranger does not learn that it was', async () => {
    const quoteId = cluster.quote();
    await cluster.place(quoteId);
    const stranger = { accountId: 'account-9', callerAccountId: 'account-9' };
    const { violations } = await refusalOf(cluster.place(quoteId, stranger));
    expect(violations[0]?.code).toBe('quote-not-found');
    expect(violations).toEqual((await refusalOf(cluster.place('no such quote', stranger))).violations);
    // Nor does a sub-account of the same partner, and not from the partner's own v0 quote either.
    const sibling = { accountId: 'account-2', callerAccountId: 'account-2' };
    cluster.services.accounts.set('account-2', {
      ...(cluster.services.accounts.get(ACCOUNT) as AccountRecord),
      accountId: 'account-2',
      capabilities: ['rate-lock-1h'],
    });
    cluster.services.accounts.set(ACCOUNT, {
      ...(cluster.services.accounts.get(ACCOUNT) as AccountRecord),
      capabilities: ['rate-lock-1h'],
    });
    const family = cluster.quote({ accountId: PARTNER, scope: 'family' });
    const { id } = await cluster.place(family, { callerAccountId: PARTNER });
    for (const quote of [quoteId, family]) {
      const refused = (await refusalOf(cluster.place(quote, sibling))).violations;
      expect(refused.map(({ code }) => code)).toEqual(['quote-not-found']);
      expect(JSON.stringify(refused)).not.toContain(id);
    }
    // Nor is it there for the partner on an account that it is not for; a v0 quote is for all of them.
    const onSibling = { accountId: 'account-2', callerAccountId: PARTNER };
    expect((await refusalOf(cluster.place(quoteId, onSibling))).violations.map(({ code }) => code)).toEqual([
      'quote-not-found',
    ]);
    expect((await refusalOf(cluster.place(family, onSibling))).violations[0]).toMatchObject({
      code: 'quote-already-accepted',
      'order-id': id,
    });
    // A caller that may read the order learns its id.
    expect((await refusalOf(cluster.place(family, { callerAccountId: PARTNER }))).violations[0]).toMatchObject({
      code: 'quote-already-accepted',
      'order-id': id,
    });
  });

  // Reliability A5: one clock reading decides; slow steps after it do not void it.
  it('judged by one clock reading, however slow the ledger is', async () => {
    const quoteId = cluster.quote();
    cluster.now = START + VALID_SECONDS * SECOND - 1;
    cluster.services.after = (pattern) => {
      if (pattern.endsWith('place-hold')) cluster.now += 10;
    };
    expect(await cluster.place(quoteId)).toMatchObject({ createdAt: isoTime(START + VALID_SECONDS * SECOND - 1) });
    expect((await refusalOf(cluster.place(cluster.quote({ expiresAt: isoTime(cluster.now) })))).code).toBe(
      'quote-expired',
    );
  });
});

describe('an external id', () => {
  it('is used once by an account, and is reported together with the other violations', async () => {
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
  it('filters and pages newest first', async () => {
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

  it('that cannot be written does not fail an accepted order, and is caught up', async () => {
    const views = cluster.running[0]?.engines.views as unknown as {
      schema: { alterTable(name: string): { renameTo(name: string): { execute(): Promise<void> } } };
    };
    await views.schema.alterTable('orders').renameTo('away').execute();
    const { id } = await cluster.place(cluster.quote());
    expect(await cluster.get(id)).toMatchObject({ id });
    await views.schema.alterTable('away').renameTo('orders').execute();
    await eventually(async () => expect((await cluster.list()).items).toHaveLength(1));
  });
});
