import { eventually } from '@ponte/testing';
import { depositIdOf } from '../deposit/deposit.state';
import { apiPixLedgerForEachTest } from '../testing/api-pix-ledger-for-each-test';
import { STRANGER_CPF } from '../testing/ledger-under-test';
import { PollReceivedPixCommand } from './poll-received-pix.command';

const DAY_MS = 86_400_000;
const { ledger, https, pix } = apiPixLedgerForEachTest();

const paid = async (brcode: string, amount: string, payer?: string): Promise<string> => {
  pix().now = ledger.now;
  const endToEndId = await pix().simulated.payCode(brcode, amount, payer);
  await ledger.tick();
  return endToEndId;
};
/** Ticks once the list of take-backs is due again. */
const tickWhenDue = async () => {
  ledger.now += 5 * 60_000;
  await ledger.tick();
};
const returned = () => pix().simulated.bank.totals().returned.toString();

describe('The ledger with a bank that offers API Pix', () => {
  it('credits a payment of the account’s code once, even after a restart', async () => {
    const endToEndId = await paid(await ledger.fundingCode(), '100.00');
    await ledger.credited(endToEndId);
    await ledger.restart();
    await ledger.tick();
    expect(await ledger.balance()).toEqual({ running: '100.00', available: '100.00', held: '0.00' });
  });

  it('opens a charge, and holds its payment for the order', async () => {
    pix().now = ledger.now;
    const { txid, open } = await ledger.charge('o1');
    const { brcode } = await open();
    const endToEndId = await paid(brcode, '50.00');
    await eventually(async () =>
      expect(await ledger.outcome(txid)).toMatchObject({ state: 'paid', depositId: depositIdOf(endToEndId) }),
    );
    expect(await ledger.balance()).toEqual({ running: '50.00', available: '0.00', held: '50.00' });
  });

  it('opens one charge, even if the bank breaks the connection after it has opened it', async () => {
    pix().now = ledger.now;
    pix().simulated.bank.misbehaviour.fail('put-charge', 'done');
    const { txid, open, expiration } = await ledger.charge('o2');
    expect(await open()).toEqual({ brcode: expect.stringContaining('pix.example'), expiration });
    expect(https.seen.filter(({ method }) => method === 'PUT')).toHaveLength(1);
    expect((await pix().simulated.bank.getCharge(txid))?.status).toBe('active');
  });

  it('reports when the certificates of the connection to the bank expire', async () => {
    const metric = ledger.engines.metrics.registry.getSingleMetric('ponte_certificate_expires_at_seconds');
    const reported = (await metric?.get())?.values.map(({ labels, value }) => [labels['purpose'], value]);
    expect(reported).toEqual([
      ['pix-bank', expect.any(Number)],
      ['pix-bank-ca', expect.any(Number)],
    ]);
    for (const [, at] of reported ?? []) expect(Number(at) * 1_000).toBeGreaterThan(Date.now());
  });

  it('sends a payment by another person back, whatever the bank does with the first requests', async () => {
    pix().simulated.bank.misbehaviour.fail('request-return', 'error', 'unheard', 'done');
    const endToEndId = await paid(await ledger.fundingCode(), '30.00', STRANGER_CPF);
    await eventually(async () => {
      await ledger.tick();
      expect(await ledger.types(`deposit-${depositIdOf(endToEndId)}`)).toContain('DepositReturned');
    });
    expect(returned()).toBe('30.00');
    expect(await ledger.balance()).toEqual({ running: '0.00', available: '0.00', held: '0.00' });
  });

  it('sends a payment back if the bank does not state who paid', async () => {
    pix().api.hidesPayers = true;
    await ledger.voided(await paid(await ledger.fundingCode(), '7.00'), 'payer-tax-id-mismatch');
    expect(returned()).toBe('7.00');
  });

  it('credits payments from before an outage that was longer than the bank lists', async () => {
    await ledger.tick();
    const brcode = await ledger.fundingCode();
    pix().now = ledger.now;
    const early = await pix().simulated.payCode(brcode, '10.00');
    ledger.now += 95 * DAY_MS;
    const late = await paid(brcode, '20.00');
    for (const endToEndId of [early, late]) await ledger.credited(endToEndId);
    await ledger.run(new PollReceivedPixCommand({ fence: 0, late: true }, ledger.context()));
    expect((await ledger.balance()).available).toBe('30.00');
  });

  it('reverses a payment that the bank took back and showed as taken back only days later', async () => {
    const endToEndId = await paid(await ledger.fundingCode(), '100.00');
    await ledger.credited(endToEndId);
    const at = new Date(ledger.now).toISOString();
    ledger.now += 3 * DAY_MS;
    await ledger.tick();
    pix().api.otherReturns.set(endToEndId, [{ amount: '100.00', at }]);
    await tickWhenDue();
    await eventually(async () =>
      expect(await ledger.balance()).toEqual({ running: '0.00', available: '0.00', held: '0.00' }),
    );
    await ledger.restart();
    await tickWhenDue();
    expect(
      (await ledger.types(`deposit-${depositIdOf(endToEndId)}`)).filter((type) => type === 'DepositVoided'),
    ).toEqual(['DepositVoided']);
  });

  it('reverses a payment that the bank took back', async () => {
    const endToEndId = await paid(await ledger.fundingCode(), '100.00');
    await ledger.credited(endToEndId);
    pix().now = ledger.now;
    await pix().takeBack(endToEndId);
    await tickWhenDue();
    await eventually(async () =>
      expect(await ledger.balance()).toEqual({ running: '0.00', available: '0.00', held: '0.00' }),
    );
  });

  it('reports a payment of which the bank took back a part, and keeps it credited', async () => {
    const endToEndId = await paid(await ledger.fundingCode(), '100.00');
    await ledger.credited(endToEndId);
    pix().api.otherReturns.set(endToEndId, [{ amount: '40.00', at: new Date(ledger.now).toISOString() }]);
    for (let round = 0; round < 2; round += 1) await tickWhenDue();
    expect((await ledger.balance()).available).toBe('100.00');
    expect(ledger.lines.filter((line) => line.includes('took back a part of a payment'))).toHaveLength(1);
    const counter = ledger.engines.metrics.registry.getSingleMetric('ponte_bank_partial_take_backs_total');
    expect((await counter?.get())?.values[0]?.value).toBe(1);
  });

  it('reports a payment that someone else returned, but none that Ponte returned', async () => {
    const endToEndId = await paid(await ledger.fundingCode(), '100.00');
    await ledger.credited(endToEndId);
    const mispaid = await paid(await ledger.fundingCode(), '30.00', STRANGER_CPF);
    await eventually(async () => {
      await ledger.tick();
      expect((await ledger.types(`deposit-${depositIdOf(mispaid)}`)).at(-1)).toBe('DepositReturned');
    });
    const at = new Date(ledger.now).toISOString();
    pix().api.otherReturns.set(endToEndId, [{ amount: '100.00', at, natureza: 'ORIGINAL' }]);
    for (let round = 0; round < 2; round += 1) await tickWhenDue();
    expect((await ledger.balance()).available).toBe('100.00');
    expect(ledger.lines.filter((line) => line.includes('although Ponte had not requested it'))).toEqual([
      expect.stringContaining(endToEndId),
    ]);
    const counter = ledger.engines.metrics.registry.getSingleMetric('ponte_bank_unrequested_returns_total');
    expect((await counter?.get())?.values[0]?.value).toBe(1);
  });

  it('reports a further return of a payment by someone else again', async () => {
    const endToEndId = await paid(await ledger.fundingCode(), '100.00');
    await ledger.credited(endToEndId);
    const returns = ['1.00', '99.00'].map((amount, hour) => ({
      ...{ amount, natureza: 'ORIGINAL' },
      at: new Date(ledger.now + hour * 3_600_000).toISOString(),
    }));
    for (const count of [1, 2]) {
      pix().api.otherReturns.set(endToEndId, returns.slice(0, count));
      for (let round = 0; round < 2; round += 1) await tickWhenDue();
      expect(ledger.lines.filter((line) => line.includes('although Ponte had not requested it'))).toHaveLength(count);
    }
  });

  it('has no simulated payer', async () => {
    await expect(ledger.pay(await ledger.fundingCode(), '1.00')).rejects.toMatchObject({ code: 'service-unavailable' });
  });
});
