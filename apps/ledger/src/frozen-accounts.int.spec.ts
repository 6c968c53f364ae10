import { AccountReleased, ClosePixCharge, PlaceHold, ReturnChargePayment } from '@ponte/contracts';
import { eventually } from '@ponte/testing';
import { depositIdOf } from './deposit/deposit.state';
import { paymentHoldId } from './pix-charge/pix-charge.decider';
import { ACCOUNT } from './testing/ledger-under-test';
import { ledgerForEachTest } from './testing/ledger-for-each-test';

const ledger = ledgerForEachTest({ booksBalance: true });

const CREDITED = ['DepositCreated', 'DepositConfirmed', 'DepositCredited'];
const types = (endToEndId: string) => ledger.types(`deposit-${depositIdOf(endToEndId)}`);
const reaches = (endToEndId: string, wanted: readonly string[]) =>
  eventually(async () => expect(await types(endToEndId)).toEqual(wanted));
const pay = async (amount: string) => (await ledger.pay(await ledger.fundingCode(), amount)).endToEndId;
async function release(): Promise<void> {
  ledger.status.set(ACCOUNT, 'active');
  const id = ledger.freshId();
  const data = {
    accountId: ACCOUNT,
    reason: 'resolved',
    evidence: null,
    requestedBy: 'one',
    confirmedBy: 'two',
    releasedAt: '2026-11-20T12:00:00.000Z',
  } satisfies AccountReleased['data'];
  await ledger.store.append(`account-${ACCOUNT}`, -1, [
    {
      id,
      type: AccountReleased.type,
      version: 1,
      data,
      meta: { commandId: id, index: 0, count: 1, occurredAt: data.releasedAt, correlationId: id },
    },
  ]);
}

describe('Deposits of a frozen account', () => {
  it('stay confirmed and out of the balance, and are credited once the account is released', async () => {
    ledger.status.set(ACCOUNT, 'frozen');
    const [first, second] = [await pay('10.00'), await pay('5.00')];
    for (const one of [first, second]) await reaches(one, ['DepositCreated', 'DepositConfirmed']);
    await ledger.tick();
    await ledger.restart();
    await ledger.tick();
    for (const one of [first, second]) expect(await types(one)).toEqual(['DepositCreated', 'DepositConfirmed']);
    expect([await ledger.balance(), (await ledger.deposits()).map(({ status }) => status)]).toEqual([
      { running: '0.00', available: '0.00', held: '0.00' },
      ['confirmed', 'confirmed'],
    ]);
    await release();
    for (const one of [first, second]) await reaches(one, CREDITED);
    expect((await ledger.balance()).available).toBe('15.00');
  });

  it('are credited at once if they were posted before the freeze, and never posted again', async () => {
    const { struck } = ledger.store.faults.next({
      kind: 'refuse',
      match: (_stream, events) => events.some(({ type }) => type === 'DepositCredited'),
    });
    const frozen = struck.then(() => ledger.status.set(ACCOUNT, 'frozen'));
    const endToEndId = await pay('10.00');
    await frozen;
    expect(await types(endToEndId)).toEqual(['DepositCreated', 'DepositConfirmed']);
    await eventually(async () => {
      await ledger.tick();
      expect(await types(endToEndId)).toEqual(CREDITED);
    });
    expect(await ledger.types('ledgerAccount-')).toEqual(['DepositPosted']);
  });

  it('that pay a charge are credited and held after the release, by the timer if the event is missing', async () => {
    const { txid, open } = await ledger.charge('o1');
    const { brcode } = await open();
    ledger.status.set(ACCOUNT, 'frozen');
    const { endToEndId } = await ledger.pay(brcode);
    await reaches(endToEndId, ['DepositCreated', 'DepositConfirmed']);
    expect(await ledger.outcome(txid)).toMatchObject({ state: 'open' });
    // The orders service tries to close the charge every few seconds. That must not ask the bank each time.
    const removed = jest.spyOn(ledger.bank, 'removeCharge');
    await expect(ledger.ask(ClosePixCharge, { txid })).rejects.toMatchObject({ code: 'service-unavailable' });
    expect(removed).not.toHaveBeenCalled();
    ledger.status.set(ACCOUNT, 'active');
    await ledger.tick();
    await reaches(endToEndId, CREDITED);
    expect(await ledger.outcome(txid)).toMatchObject({ state: 'paid' });
  });
});

describe('A Pix that the bank takes back', () => {
  const VOIDED = [...CREDITED, 'DepositVoided'];

  it('after it was credited and spent makes the balance negative, freezes the account, logs an error and voids the deposit', async () => {
    const endToEndId = await pay('100.00');
    await reaches(endToEndId, CREDITED);
    await ledger.ask(PlaceHold, {
      accountId: ACCOUNT,
      hold: { holdId: 'h1', owner: { kind: 'order', id: 'o1' }, asset: 'fiat/brl', amount: '60.00' },
    });
    await ledger.exchange('o1', 'h1', '60.00');
    await ledger.takeBack(endToEndId);
    await reaches(endToEndId, VOIDED);
    await eventually(async () =>
      expect(await ledger.balance()).toEqual({ running: '-60.00', available: '-60.00', held: '0.00' }),
    );
    await eventually(async () => expect(ledger.freezes).toEqual([{ accountId: ACCOUNT, reason: 'pix-taken-back' }]));
    await eventually(async () =>
      expect((await ledger.deposits())[0]).toMatchObject({
        status: 'voided',
        voidReason: 'taken-back',
        processedAt: null,
      }),
    );
    const [reversed] = (await ledger.events('ledgerAccount-')).filter(({ type }) => type === 'DepositReversed');
    expect(reversed?.data).toMatchObject({ holdId: null, debit: { amount: '100.00' }, reason: 'taken-back' });
    expect(ledger.lines.some((line) => line.includes('"level":50') && line.includes('took a received Pix back'))).toBe(
      true,
    );
    // Another poll, a repeated notice and a restart change nothing, and nothing is sent back to the payer.
    await ledger.restart();
    await ledger.takeBack(endToEndId);
    expect(await types(endToEndId)).toEqual(VOIDED);
    expect([(await ledger.balance()).running, ledger.bank.totals().returned.toString(), ledger.freezes.length]).toEqual(
      ['-60.00', '100.00', 1],
    );
    await expect(
      ledger.ask(PlaceHold, {
        accountId: ACCOUNT,
        hold: { holdId: 'h2', owner: { kind: 'order', id: 'o2' }, asset: 'fiat/brl', amount: '0.01' },
      }),
    ).rejects.toMatchObject({ code: 'insufficient-balance' });
  });

  it('before it was credited reverses nothing, and a release credits nothing', async () => {
    ledger.status.set(ACCOUNT, 'frozen');
    const endToEndId = await pay('10.00');
    await reaches(endToEndId, ['DepositCreated', 'DepositConfirmed']);
    await ledger.takeBack(endToEndId);
    await reaches(endToEndId, ['DepositCreated', 'DepositConfirmed', 'DepositVoided']);
    await release();
    await ledger.tick();
    await eventually(async () => expect(await ledger.types('ledgerAccount-')).toEqual(['DepositPostingBarred']));
    expect(await ledger.balance()).toEqual({ running: '0.00', available: '0.00', held: '0.00' });
    const freeze = { accountId: ACCOUNT, reason: 'pix-taken-back', nothingLost: true };
    await eventually(async () => expect(ledger.freezes).toEqual([freeze]));
  });

  it('while it is held leaves a debt if its order completes, and none if its order is rolled back, with no second return', async () => {
    const heldOrder = async (orderId: string) => {
      const { txid, open } = await ledger.charge(orderId);
      const { endToEndId } = await ledger.pay((await open()).brcode);
      await reaches(endToEndId, CREDITED);
      await eventually(async () => expect(await ledger.outcome(txid)).toMatchObject({ state: 'paid' }));
      await ledger.takeBack(endToEndId);
      await reaches(endToEndId, VOIDED);
      ledger.status.set(ACCOUNT, 'active');
      return { txid, holdId: paymentHoldId(depositIdOf(endToEndId)), endToEndId };
    };
    const rolledBack = await heldOrder('o1');
    await eventually(async () =>
      expect(await ledger.balance()).toEqual({ running: '0.00', available: '-50.00', held: '50.00' }),
    );
    await ledger.ask(ReturnChargePayment, { txid: rolledBack.txid, reason: 'order-rolled-back' });
    expect(await ledger.balance()).toEqual({ running: '0.00', available: '0.00', held: '0.00' });
    const completed = await heldOrder('o2');
    await ledger.exchange('o2', completed.holdId, '50.00');
    await eventually(async () =>
      expect(await ledger.balance()).toEqual({ running: '-50.00', available: '-50.00', held: '0.00' }),
    );
    expect(ledger.bank.totals().returned.toString()).toBe('100.00');
    expect(await types(rolledBack.endToEndId)).toEqual(VOIDED);
  });
});
