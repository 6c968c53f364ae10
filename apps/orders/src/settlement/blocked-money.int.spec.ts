import type { AccountRecord, FreezeReason } from '@ponte/contracts';
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
