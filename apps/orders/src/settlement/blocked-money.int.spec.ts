import type { AccountRecord, FreezeReason, PlaceOrderPayload } from '@ponte/contracts';
import { ReturnChargePayment } from '@ponte/contracts';
import { eventually } from '@ponte/testing';
import { cluster, useCluster } from '../testing/cluster-for-each-test';
import { ACCOUNT } from '../testing/fixtures';

const EXTERNAL = `0x${'5a'.repeat(20)}`;
useCluster();

const set = (status: AccountRecord['status'], ...reasons: FreezeReason[]) => {
  const account = cluster.services.accounts.get(ACCOUNT) as AccountRecord;
  cluster.services.accounts.set(ACCOUNT, { ...account, status });
  cluster.services.freezes.reasons.set(ACCOUNT, reasons);
};
const later = async () => {
  cluster.now += 301_000;
  await cluster.requestMissingMints();
};
/** An order that was paid by Pix code, and whose external wallet was refused while its account was frozen. */
const refusedWhileFrozen = async (...reasons: FreezeReason[]): Promise<string> => {
  const relation = { kind: 'external', address: EXTERNAL, whitelisted: true, fxWhitelisted: true } as const;
  cluster.services.wallets.set(`${ACCOUNT} eth-base ${EXTERNAL}`, relation);
  cluster.services.screening = 'waits';
  const wallet = { targetWalletAddress: EXTERNAL, sourcePaymentMethod: 'brcode' } as const;
  const { id } = await cluster.place(cluster.quote(), wallet);
  await cluster.services.pay(cluster.chargeOf(id));
  await cluster.reaches(id, 'processing');
  set('frozen', ...reasons);
  await cluster.services.review(id, ACCOUNT, 'refused');
  return id;
};

describe('an order by Pix code of a frozen account, whose external wallet is refused', () => {
  it.each(['sanctions', 'fraud-suspected', 'court-order', 'compliance'] as const)(
    'keeps its payment while the account is frozen for %s, and returns it after the release',
    async (reason) => {
      const id = await refusedWhileFrozen('closing', reason);
      await eventually(async () => expect(await cluster.facts(id)).toContain('OrderTargetScreened'));
      for (let round = 0; round < 3; round += 1) await later();
      expect([(await cluster.get(id))?.state, cluster.services.returned]).toEqual(['processing', []]);
      expect(await cluster.shown('ponte_orders_without_settlement')).toBe(0);
      set('active');
      await cluster.services.release(ACCOUNT);
      expect(await cluster.reaches(id, 'rolled-back')).toMatchObject({ failure: { code: 'compliance' } });
      expect(cluster.services.returned).toEqual([cluster.chargeOf(id)]);
      expect(cluster.services.settlements.size).toBe(0);
    },
  );

  it('is rolled back at once, and its payment returned, if the account is frozen for another reason', async () => {
    const id = await refusedWhileFrozen('account-takeover');
    expect(await cluster.reaches(id, 'rolled-back')).toMatchObject({ failure: { code: 'compliance' } });
    expect(cluster.services.returned).toEqual([cluster.chargeOf(id)]);
  });
});

describe('an order by Pix code of a frozen account, whose settlement failed', () => {
  const settling = async (over: Partial<PlaceOrderPayload> = { sourcePaymentMethod: 'brcode' }) => {
    const { id } = await cluster.place(cluster.quote(), over);
    if (over.sourcePaymentMethod === 'brcode') await cluster.services.pay(cluster.chargeOf(id));
    return { id, settlement: await eventually(() => cluster.settlementOf(id)) };
  };
  const waitsWithItsPayment = async (id: string) => {
    await eventually(() => expect(cluster.log.join()).toContain('fails only after the release'));
    for (let round = 0; round < 3; round += 1) await later();
    expect([(await cluster.get(id))?.state, cluster.services.returned]).toEqual(['processing', []]);
    expect(await cluster.shown('ponte_orders_without_settlement')).toBe(0);
  };
  const failsOnce = async (id: string, code: string) => {
    expect(await cluster.reaches(id, 'rolled-back')).toMatchObject({ failure: { code } });
    await later();
    expect(cluster.services.returned).toEqual([cluster.chargeOf(id)]);
    expect((await cluster.facts(id)).filter((type) => type === 'OrderRolledBack')).toHaveLength(1);
  };

  it.each(['compliance', 'liquidity-unavailable', 'amount-above-maximum'] as const)(
    'keeps its payment if it was given up with %s, and returns it after the release',
    async (code) => {
      const { id, settlement } = await settling();
      set('frozen', 'closing', 'sanctions');
      await cluster.services.giveUp(settlement, code);
      await waitsWithItsPayment(id);
      set('active');
      await cluster.services.release(ACCOUNT);
      await failsOnce(id, code);
    },
  );

  it('keeps its payment if it was reverted, and returns it after the release', async () => {
    const { id, settlement } = await settling();
    set('frozen', 'court-order');
    await cluster.services.revert(settlement);
    await waitsWithItsPayment(id);
    set('active');
    await cluster.services.release(ACCOUNT);
    await failsOnce(id, 'settlement-failed');
  });

  it.each(['active', 'frozen'] as const)(
    'is failed by the sweep if the account is %s without such a reason, and the event of that is lost',
    async (status) => {
      const { id, settlement } = await settling();
      set('frozen', 'sanctions');
      await cluster.services.giveUp(settlement, 'compliance');
      await waitsWithItsPayment(id);
      set(status, ...(status === 'frozen' ? (['closing'] as const) : []));
      cluster.now += 600_000;
      await later();
      await failsOnce(id, 'compliance');
    },
  );

  it('is failed once if the process stops after the payment was returned', async () => {
    const { id, settlement } = await settling();
    set('frozen', 'sanctions');
    await cluster.services.giveUp(settlement, 'compliance');
    await waitsWithItsPayment(id);
    let crashes = 1;
    cluster.services.after = (pattern) => {
      if (pattern === ReturnChargePayment.pattern && crashes-- > 0) throw new Error('orders is down');
    };
    set('active');
    await cluster.services.release(ACCOUNT);
    await eventually(() => expect(crashes).toBeLessThan(1));
    await cluster.restart();
    await failsOnce(id, 'compliance');
  });

  it('is rolled back at once if the bank took its payment back, because nothing is returned', async () => {
    const { id, settlement } = await settling();
    set('frozen', 'sanctions');
    await cluster.services.giveUp(settlement, 'payment-taken-back');
    expect(await cluster.reaches(id, 'rolled-back')).toMatchObject({ failure: { code: 'payment-taken-back' } });
  });

  it.each(['before', 'after'] as const)(
    'is rolled back without a return if the bank takes its payment back %s the settlement is reverted',
    async (when) => {
      const { id, settlement } = await settling();
      set('frozen', 'court-order');
      if (when === 'before') await cluster.services.takeBack(cluster.chargeOf(id));
      await cluster.services.revert(settlement);
      if (when === 'after') {
        await waitsWithItsPayment(id);
        await cluster.services.takeBack(cluster.chargeOf(id));
        cluster.now += 600_000;
        await later();
      }
      expect(await cluster.reaches(id, 'rolled-back')).toMatchObject({ failure: { code: 'settlement-failed' } });
      expect(cluster.services.openHolds()).toEqual([]);
    },
  );

  it('is rolled back at once if it was paid from the balance', async () => {
    const { id, settlement } = await settling({});
    set('frozen', 'sanctions');
    await cluster.services.giveUp(settlement, 'compliance');
    expect(await cluster.reaches(id, 'rolled-back')).toMatchObject({ failure: { code: 'compliance' } });
  });
});
