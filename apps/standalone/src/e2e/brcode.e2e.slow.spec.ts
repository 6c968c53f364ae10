import type { Deposit } from './testing/customer';
import type { Customer } from './testing/customer';
import type { Running } from './testing/program';
import { ANVIL, SUITE_MS } from './testing/program';
import { SandboxUnderTest } from './testing/sandbox-under-test';
import { until } from './testing/waiting';
import { SandboxSuite } from './testing/sandbox-suite';
import { BrcodeOrders, PRICE, NOTHING_HELD, centavos } from './testing/brcode-orders';

jest.setTimeout(SUITE_MS);

const HOLDER = '529.982.247-25';
const STRANGER = '11144477735';
const COMPANY = '11.222.333/0001-81';

let running: Running;
let suite: SandboxSuite;
let customer: Customer;
let sandbox: SandboxUnderTest;
let orders: BrcodeOrders;

// Polling is disabled: the ledger learns of payments from callbacks, or from reading a charge when it is closed.
beforeAll(async () => {
  suite = await SandboxSuite.start({ ...ANVIL, LEDGER_POLL_MS: '3600000', LEDGER_RESUME_MS: '200' });
  ({ running, customer } = suite);
  sandbox = suite.closing(SandboxUnderTest.of(running));
  orders = new BrcodeOrders(running, customer, sandbox, await suite.receiverOf(customer));
});
afterAll(() => suite.close());
afterEach(() => sandbox.misbehave({ callbacks: 'prompt', returns: 'prompt', settlement: 'prompt' }));

describe('an order that is paid by brcode', () => {
  it('mints the tokens once after a correct payment, however often the bank reports it (C2, C5)', async () => {
    await sandbox.misbehave({ callbacks: 'repeated' });
    const before = await orders.standing();
    const { id, brcode, expiration } = await orders.order();
    expect(Date.parse(expiration)).toBeGreaterThan(sandbox.now());
    const endToEndId = await orders.pay(brcode);
    expect(await customer.ended(id)).toMatchObject({
      state: 'completed',
      'tx-hash': expect.stringMatching(/^0x[0-9a-f]{64}$/) as string,
    });
    await customer.deposited(endToEndId, 'credited');
    await orders.expectBought(before);
    await orders.expectReported(id, ['order-created', 'order-processing', 'order-completed']);
  });

  it("compares the payer's tax id by its digits", async () => {
    const { id, brcode } = await orders.order();
    await orders.pay(brcode, { 'payer-tax-id': HOLDER });
    expect((await customer.ended(id)).state).toBe('completed');
  });

  it.each([
    ['a centavo less', '39.99'],
    ['a centavo more', '40.01'],
    ['ten times as much', '400.00'],
  ])('returns a payment of %s in full with amount-mismatch', async (_how, amount) => {
    const before = await orders.standing();
    const { id, brcode } = await orders.order();
    await orders.expectReturned(before, id, 'amount-mismatch', await orders.pay(brcode, { amount }), amount);
  });

  it.each([
    ['another person', STRANGER],
    ['a company', COMPANY],
  ])('returns a payment by %s with payer-tax-id-mismatch', async (_who, payer) => {
    const before = await orders.standing();
    const { id, brcode } = await orders.order();
    await orders.expectReturned(
      before,
      id,
      'payer-tax-id-mismatch',
      await orders.pay(brcode, { 'payer-tax-id': payer }),
      PRICE,
    );
  });

  it('is executed once when it is paid twice, and the second payment is returned', async () => {
    const before = await orders.standing();
    const { id, brcode } = await orders.order();
    const [first, second] = [await orders.pay(brcode), await orders.pay(brcode)];
    expect(second).not.toBe(first);
    expect((await customer.ended(id)).state).toBe('completed');
    const deposits = await until(async () => {
      const both = await Promise.all(
        [first, second].map(
          async (endToEndId) =>
            (
              await customer.api.get<{ deposits: Deposit[] }>(
                customer.path(`/assets/brl/deposits?end-to-end-id=${endToEndId}`),
              )
            ).deposits[0],
        ),
      );
      expect(both.map((one) => one?.status).sort()).toEqual(['credited', 'voided']);
      return both;
    });
    await until(async () => orders.expectBought(before));
    const voided = deposits.find((one) => one?.status === 'voided')?.id ?? '';
    await orders.expectReported(voided, ['deposit-voided']);
    expect(orders.receiver.verified.find((one) => one['resource-id'] === voided)?.payload).toMatchObject({
      reason: 'paid-twice',
      'source-tax-id': expect.stringMatching(/^\*{3}\.\d{3}\.\d{3}-\*{2}$/) as string,
      'source-legal-name': '***',
      'source-account-number': '***',
    });
  });

  it('returns a payment that settled late with paid-late', async () => {
    const before = await orders.standing();
    const { id, brcode, expiration } = await orders.order();
    // The bank settles late, while our time stays the same, so that the sweep of expired charges does not interfere.
    await sandbox.misbehave({ settlement: 'late' });
    const { 'end-to-end-id': endToEndId, 'settled-at': settledAt } = await orders.paid(brcode);
    expect(Date.parse(settledAt)).toBeGreaterThan(Date.parse(expiration));
    await orders.expectReturned(before, id, 'paid-late', endToEndId, PRICE);
  });

  it('fails with brcode-expired when it is not paid in time, and a later payment is returned', async () => {
    const before = await orders.standing();
    const { id, brcode, expiration } = await orders.order();
    await sandbox.pass(expiration);
    expect(await customer.ended(id)).toMatchObject({ state: 'rolled-back', failure: { code: 'brcode-expired' } });
    await orders.expectReturned(before, id, 'brcode-expired', await orders.pay(brcode), PRICE);
  });

  it('accepts a payment that settled in time, and ignores its late notice (C1, C5)', async () => {
    await sandbox.misbehave({ callbacks: 'held' });
    const before = await orders.standing();
    const { id, brcode, expiration } = await orders.order();
    const endToEndId = await orders.pay(brcode);
    expect(await customer.order(id)).toMatchObject({ state: 'created' });
    await sandbox.pass(expiration);
    expect((await customer.ended(id)).state).toBe('completed');
    await orders.expectBought(before);
    // This sends the delayed notice.
    await sandbox.misbehave({ callbacks: 'prompt' });
    await customer.deposited(endToEndId, 'credited');
    // A later payment is reported after the delayed notice, so once it is processed, the notice has been too.
    const { id: next, brcode: nextCode } = await orders.order();
    await orders.pay(nextCode);
    expect((await customer.ended(next)).state).toBe('completed');
    await orders.expectBought(before, 2);
  });

  it('returns the money even if the bank is slow with a return or refuses it at first', async () => {
    for (const returns of ['processing', 'not-carried-out'] as const) {
      await sandbox.misbehave({ returns });
      const before = await orders.standing();
      const { id, brcode } = await orders.order();
      const endToEndId = await orders.pay(brcode, { amount: '41.00' });
      expect(await customer.ended(id)).toMatchObject({ state: 'rolled-back', failure: { code: 'amount-mismatch' } });
      await orders.expectVoided(endToEndId, '41.00');
      await sandbox.misbehave({ returns: 'prompt' });
      await until(async () => expect((await orders.standing()).kept).toBe(before.kept));
    }
  });

  it('leaves the bank, the books and the chain with the same amount', async () => {
    const { kept, brl, brlv, onChain } = await orders.standing();
    expect(brl).toEqual(NOTHING_HELD);
    expect(brlv).toBe(`${kept}${'0'.repeat(16)}`);
    expect(onChain).toBe(centavos(kept) * 10n ** 16n);
    expect(orders.receiver.refused).toBe(0);
  });
});
