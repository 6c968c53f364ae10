import type { AccountRecord, FreezeReason } from '@ponte/contracts';
import { OperatorError } from '@ponte/operator';
import type { OperatorDuty } from '@ponte/operator';
import { eventually } from '@ponte/testing';
import { ACCOUNT } from '../testing/fixtures';
import { cluster, useCluster } from '../testing/cluster-for-each-test';

const brcode = { sourcePaymentMethod: 'brcode' } as const;
useCluster();

const set = (status: AccountRecord['status']) => {
  const account = cluster.services.accounts.get(ACCOUNT) as AccountRecord;
  cluster.services.accounts.set(ACCOUNT, { ...account, status });
};
/** Executes the operator's command in the first process. */
const endUnsigned = async (account = ACCOUNT, flags: Readonly<Record<string, string>> = {}): Promise<string> => {
  const duty = cluster.running[0]?.engines.duties.get('orders end-unsigned') as OperatorDuty;
  return duty.carryOut({ account, ...flags }, new AbortController().signal);
};
const RETURNS = { returnPayments: 'yes' };
/** Places an order of the frozen account and pays it by Pix code. */
const paidWhileFrozen = async (...reasons: FreezeReason[]): Promise<string> => {
  const { id } = await cluster.place(cluster.quote(), brcode);
  set('frozen');
  cluster.services.freezes.reasons.set(ACCOUNT, reasons);
  await cluster.services.pay(cluster.chargeOf(id));
  await cluster.reaches(id, 'processing');
  await listed(1);
  return id;
};
const listed = (count: number) =>
  eventually(async () => expect((await cluster.list({ state: 'processing' })).items).toHaveLength(count));

describe('orders end-unsigned', () => {
  it('rolls back the orders of a frozen account for which nothing is sent, so that nothing is held', async () => {
    const before = cluster.services.available(ACCOUNT);
    const paid = await cluster.place(cluster.quote(), brcode);
    const requested = await cluster.place(cluster.quote());
    cluster.services.unsigned.add((await eventually(() => cluster.settlementOf(requested.id))).settlementId);
    cluster.services.after = (pattern) => {
      if (pattern.endsWith('place-hold')) set('frozen');
    };
    const waiting = await cluster.place(cluster.quote());
    await cluster.services.pay(cluster.chargeOf(paid.id));
    await cluster.reaches(paid.id, 'processing');
    await listed(3);
    const detail = await endUnsigned(ACCOUNT, RETURNS);
    for (const { id } of [paid, requested, waiting]) {
      expect(detail).toContain(`${id} is rolled back`);
      expect(await cluster.get(id)).toMatchObject({ state: 'rolled-back', failure: { code: 'account-not-active' } });
    }
    expect(cluster.services.available(ACCOUNT)).toBe(before);
    expect(cluster.services.openHolds()).toEqual([]);
    expect(cluster.services.returned).toEqual([cluster.chargeOf(paid.id)]);
    expect(cluster.services.settlements.size).toBe(0);
    await listed(0);
    expect(await endUnsigned()).toBe(`account ${ACCOUNT} has no processing order`);
  });

  it('keeps an order that was paid by Pix code, unless its payment is to be returned', async () => {
    const id = await paidWhileFrozen('closing', 'account-takeover');
    expect(await endUnsigned()).toContain(`order ${id} was paid by Pix code and is kept`);
    expect([(await cluster.get(id))?.state, cluster.services.returned]).toEqual(['processing', []]);
    expect(await endUnsigned(ACCOUNT, RETURNS)).toBe(`order ${id} is rolled back`);
    expect(cluster.services.returned).toEqual([cluster.chargeOf(id)]);
  });

  it.each(['sanctions', 'fraud-suspected', 'court-order', 'compliance'] as const)(
    'returns no payment while the account is frozen for %s, or is to be',
    async (reason) => {
      const id = await paidWhileFrozen('closing', reason);
      const refused = new OperatorError(
        `account ${ACCOUNT} is frozen for ${reason}, or is to be: its money stays blocked, so no payment is returned`,
      );
      await expect(endUnsigned(ACCOUNT, RETURNS)).rejects.toThrow(refused);
      cluster.services.freezes.reasons.set(ACCOUNT, ['closing']);
      cluster.services.freezes.pending = reason;
      await expect(endUnsigned(ACCOUNT, RETURNS)).rejects.toThrow(refused);
      expect([(await cluster.get(id))?.state, cluster.services.returned]).toEqual(['processing', []]);
    },
  );

  it('returns no payment once such a freeze is added while it runs', async () => {
    const id = await paidWhileFrozen('closing');
    const change = { read: 0 };
    cluster.services.after = (pattern) => {
      if (pattern.endsWith('get-account-standing') && ++change.read === 1)
        cluster.services.freezes.reasons.set(ACCOUNT, ['closing', 'court-order']);
    };
    expect(await endUnsigned(ACCOUNT, RETURNS)).toContain(`order ${id} was paid by Pix code and is kept`);
    expect(cluster.services.returned).toEqual([]);
  });

  it('leaves an order whose settlement is being sent, which completes', async () => {
    const { id } = await cluster.place(cluster.quote());
    await eventually(() => expect(cluster.settlementOf(id)).toBeDefined());
    await listed(1);
    set('frozen');
    expect(await endUnsigned()).toBe(`order ${id} is being settled: wait until it ends`);
    await cluster.settles(id);
    await cluster.reaches(id, 'completed');
  });

  it.each(['active', 'closed'] as const)('refuses an account that is %s, whose orders go on or end', async (status) => {
    const { id } = await cluster.place(cluster.quote());
    await listed(1);
    set(status);
    await expect(endUnsigned()).rejects.toThrow(new OperatorError(`account ${ACCOUNT} is ${status}, not frozen`));
    await expect(endUnsigned('no-such-account')).rejects.toBeInstanceOf(OperatorError);
    expect((await cluster.get(id))?.state).toBe('processing');
  });

  it('continues where it was interrupted', async () => {
    set('active');
    cluster.services.after = (pattern) => {
      if (pattern.endsWith('place-hold')) set('frozen');
    };
    await cluster.place(cluster.quote());
    await listed(1);
    cluster.store.faults.next({
      kind: 'refuse',
      match: (_, events) => events.some(({ type }) => type === 'OrderRolledBack'),
    });
    await expect(endUnsigned()).rejects.toThrow();
    expect(cluster.services.openHolds()).toEqual([]);
    expect(await endUnsigned()).toContain('is rolled back');
    await listed(0);
  });
});
