import type { AccountRecord } from '@ponte/contracts';
import { isoTime } from '@ponte/kernel';
import { freshId } from '@ponte/testing';
import { orderIdOf } from './order/order-ids.domain';
import { START } from './testing/cluster';
import { ACCOUNT, PARTNER, VALID_SECONDS } from './testing/fixtures';
import { cluster, refusalOf, useCluster } from './testing/cluster-for-each-test';

const SECOND = 1_000;
useCluster();

const brcode = { sourcePaymentMethod: 'brcode' } as const;

describe('accepting a quote more than once', () => {
  it('places one order for 50 concurrent acceptances and releases every other hold', async () => {
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
    // The external ids of the refused acceptances are free again.
    const winner = won[0]?.status === 'fulfilled' ? won[0].value.externalId : null;
    for (const at of [0, 1, 2])
      if (`ref-${at}` !== winner) await cluster.place(cluster.quote(), { externalId: `ref-${at}` });
  });

  it('places one order for concurrent acceptances by brcode and balance, and leaves one charge or hold open', async () => {
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

  it('answers a repeated command with the first response, even when both arrive concurrently', async () => {
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
    // Specification: after 24 hours the response is the current state of the resource.
    await cluster.reaches(orderIdOf(quoteId), 'processing');
    cluster.now = START + 86_400 * SECOND;
    expect(await cluster.place(quoteId, { externalId: 'ref-1' }, commandId)).toMatchObject({
      id: twins[0]?.id,
      state: 'processing',
    });
  });

  // A resource of another account looks like one that does not exist.
  it('does not disclose the first acceptance to an unrelated account', async () => {
    const quoteId = cluster.quote();
    await cluster.place(quoteId);
    const stranger = { accountId: 'account-9', callerAccountId: 'account-9' };
    cluster.services.accounts.set('account-9', {
      ...(cluster.services.accounts.get(ACCOUNT) as AccountRecord),
      accountId: 'account-9',
    });
    const { violations } = await refusalOf(cluster.place(quoteId, stranger));
    expect(violations[0]?.code).toBe('quote-not-found');
    expect(violations).toEqual((await refusalOf(cluster.place('no such quote', stranger))).violations);
    // A sub-account of the same partner does not learn of it either, nor from the partner's own v0 quote.
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
    // For the partner, a quote exists only on the account it is bound to. A v0 quote serves all accounts.
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

  // One clock reading decides whether the quote is still valid; slow steps after it do not change that.
  it('uses one clock reading for the decision, however slow the ledger is', async () => {
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
