import type { AccountRecord } from '@ponte/contracts';
import { eventually, freshId } from '@ponte/testing';
import { ACCOUNT } from '../testing/fixtures';
import { cluster, useCluster } from '../testing/cluster-for-each-test';
import { EndUnsignedOrderCommand } from './end-unsigned-order.command';

const brcode = { sourcePaymentMethod: 'brcode' } as const;
const EXTERNAL = `0x${'5a'.repeat(20)}`;
const TAKEN_BACK = { state: 'rolled-back', failure: { code: 'payment-taken-back', retryable: false } };
useCluster();

const set = (status: AccountRecord['status']) => {
  const account = cluster.services.accounts.get(ACCOUNT) as AccountRecord;
  cluster.services.accounts.set(ACCOUNT, { ...account, status });
};
const released = async () => {
  set('active');
  await cluster.services.release(ACCOUNT);
};
/** An order by brcode that was paid, and whose account was frozen before its settlement was requested. */
const paid = async () => {
  const { id } = await cluster.place(cluster.quote(), brcode);
  set('frozen');
  await cluster.services.pay(cluster.chargeOf(id));
  await cluster.reaches(id, 'processing');
  return { id, txid: cluster.chargeOf(id) };
};
const nothingMoved = (before: bigint) => {
  expect(cluster.services.available(ACCOUNT)).toBe(before);
  expect(cluster.services.openHolds()).toEqual([]);
  expect(cluster.services.returned).toEqual([]);
  expect(cluster.services.settlements.size).toBe(0);
};

describe('an order whose payment the bank takes back', () => {
  it('is rolled back before anything is requested, even if its wallet waits for a review, and never settled', async () => {
    const before = cluster.services.available(ACCOUNT);
    const external = { kind: 'external', address: EXTERNAL, whitelisted: true, fxWhitelisted: true } as const;
    cluster.services.wallets.set(`${ACCOUNT} eth-base ${EXTERNAL}`, external);
    cluster.services.screening = 'waits';
    const { id } = await cluster.place(cluster.quote(), { ...brcode, targetWalletAddress: EXTERNAL });
    await cluster.services.pay(cluster.chargeOf(id));
    await cluster.reaches(id, 'processing');
    set('frozen');
    await cluster.services.takeBack(cluster.chargeOf(id));
    expect(await cluster.reaches(id, 'rolled-back')).toMatchObject(TAKEN_BACK);
    await cluster.services.review(id, ACCOUNT, 'clear');
    await released();
    nothingMoved(before);
    expect(cluster.services.refusals).toEqual(['payment-taken-back']);
  });

  it('is rolled back while its settlement is requested and has no nonce', async () => {
    const before = cluster.services.available(ACCOUNT);
    const { id } = await cluster.place(cluster.quote(), brcode);
    await cluster.services.pay(cluster.chargeOf(id));
    cluster.services.unsigned.add((await eventually(() => cluster.settlementOf(id))).settlementId);
    await cluster.services.takeBack(cluster.chargeOf(id));
    expect(await cluster.reaches(id, 'rolled-back')).toMatchObject(TAKEN_BACK);
    nothingMoved(before);
  });

  it('completes if its settlement is being sent', async () => {
    const { id } = await cluster.place(cluster.quote(), brcode);
    await cluster.services.pay(cluster.chargeOf(id));
    await eventually(() => expect(cluster.settlementOf(id)).toBeDefined());
    await cluster.services.takeBack(cluster.chargeOf(id));
    await eventually(() => expect(cluster.services.refusals).toHaveLength(1));
    await cluster.settles(id);
    await cluster.reaches(id, 'completed');
    expect(cluster.services.available(ACCOUNT)).toBeLessThan(1_000_00n);
  });

  // The events of a deposit and of its charge are read in any order.
  it('is rolled back when its settlement is to be requested, if the event came before the order was paid', async () => {
    const before = cluster.services.available(ACCOUNT);
    const { id, txid } = await paid();
    await cluster.services.takeBack(txid, false);
    await released();
    expect(await cluster.reaches(id, 'rolled-back')).toMatchObject(TAKEN_BACK);
    nothingMoved(before);
  });

  it('is rolled back even if the ledger does not find the deposit at first', async () => {
    const before = cluster.services.available(ACCOUNT);
    const { id } = await cluster.place(cluster.quote(), brcode);
    await cluster.services.takeBack(cluster.chargeOf(id), false);
    cluster.services.missedDeposits = 1;
    await cluster.services.pay(cluster.chargeOf(id));
    expect(await cluster.reaches(id, 'rolled-back')).toMatchObject(TAKEN_BACK);
    nothingMoved(before);
  });

  it('stays as it is when another payment of its code is taken back, although no nonce is taken yet', async () => {
    const { id } = await cluster.place(cluster.quote(), brcode);
    await cluster.services.pay(cluster.chargeOf(id));
    cluster.services.unsigned.add((await eventually(() => cluster.settlementOf(id))).settlementId);
    const another = { orderId: id, depositId: freshId(), reason: 'payment-taken-back' } as const;
    const ended = await cluster.run((one) => new EndUnsignedOrderCommand(another, one));
    expect(ended).toEqual({ ended: false });
    expect(cluster.services.refusals).toEqual([]);
    await cluster.settles(id);
    await cluster.reaches(id, 'completed');
  });

  it('stays as it is when the payment of another order is taken back', async () => {
    const { id } = await cluster.place(cluster.quote(), brcode);
    const other = await cluster.place(cluster.quote(), brcode);
    await cluster.services.pay(cluster.chargeOf(id));
    await cluster.services.takeBack(cluster.chargeOf(other.id));
    await cluster.settles(id);
    await cluster.reaches(id, 'completed');
    expect(await cluster.get(other.id)).toMatchObject({ state: 'created' });
  });
});

describe('an order from a balance that the bank took back', () => {
  it('is rolled back when its settlement is to be requested; one that the balance covers is settled', async () => {
    const { id } = await heldOrder();
    cluster.services.balances.set(ACCOUNT, 0n);
    await released();
    expect(await cluster.reaches(id, 'rolled-back')).toMatchObject(TAKEN_BACK);
    expect(cluster.services.openHolds()).toEqual([]);
    expect(cluster.services.settlements.size).toBe(0);
  });

  it('is settled if the balance still covers it', async () => {
    const { id } = await heldOrder();
    cluster.services.balances.set(ACCOUNT, 10_00n);
    await released();
    await cluster.settles(id);
    await cluster.reaches(id, 'completed');
  });
});

describe('an order from a balance that the bank took back, whose settlement has no nonce yet', () => {
  /** An order from the balance whose settlement was requested before its account was frozen. Its hold is 10.00. */
  const intended = async () => {
    const { id } = await cluster.place(cluster.quote());
    cluster.services.unsigned.add((await eventually(() => cluster.settlementOf(id))).settlementId);
    return id;
  };
  const takeBack = async (left: bigint) => {
    cluster.services.balances.set(ACCOUNT, left);
    set('frozen');
    await cluster.services.freeze(ACCOUNT, 'pix-taken-back');
  };

  it('is rolled back as soon as the account is frozen, because the settlement could be signed at the release', async () => {
    const id = await intended();
    await takeBack(0n);
    expect(await cluster.reaches(id, 'rolled-back')).toMatchObject(TAKEN_BACK);
    nothingMoved(0n);
    expect(cluster.services.refusals).toEqual(['payment-taken-back']);
  });

  it('stays if it is covered, despite an older order by brcode whose payment was taken back', async () => {
    const { id: paidOrder } = await cluster.place(cluster.quote(), brcode);
    await cluster.services.pay(cluster.chargeOf(paidOrder));
    cluster.services.unsigned.add((await eventually(() => cluster.settlementOf(paidOrder))).settlementId);
    cluster.now += 1_000;
    const covered = await intended();
    await cluster.services.takeBack(cluster.chargeOf(paidOrder), false);
    await takeBack(10_00n);
    expect(await cluster.reaches(paidOrder, 'rolled-back')).toMatchObject(TAKEN_BACK);
    await released();
    await cluster.settles(covered);
    await cluster.reaches(covered, 'completed');
    expect(cluster.services.refusals).toEqual(['payment-taken-back']);
  });

  it('waits for the release if the balance covers it once others are rolled back', async () => {
    const ids = [await intended(), await intended(), await intended()];
    await takeBack(10_00n);
    await eventually(() => expect(cluster.services.settlements.size).toBe(1));
    await released();
    const kept = [...cluster.services.settlements.values()][0]?.orderId ?? '';
    for (const id of ids) if (id !== kept) expect(await cluster.reaches(id, 'rolled-back')).toMatchObject(TAKEN_BACK);
    await cluster.settles(kept);
    await cluster.reaches(kept, 'completed');
    expect(cluster.services.refusals).toEqual(['payment-taken-back', 'payment-taken-back']);
  });
});

/** An order from the balance whose account was frozen before its settlement was requested. */
async function heldOrder() {
  const freeze = (pattern: string) => {
    if (pattern.endsWith('place-hold')) set('frozen');
  };
  cluster.services.after = freeze;
  const order = await cluster.place(cluster.quote());
  await eventually(async () => expect((await cluster.list({ state: 'processing' })).items).toHaveLength(1));
  return order;
}
