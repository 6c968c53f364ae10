import type { WebhookReceiver } from '../demo/webhook-receiver';
import { startWebhookReceiver } from '../demo/webhook-receiver';
import type { Deposit, Order, PaidPix } from './testing/customer';
import { Customer } from './testing/customer';
import { brlvOnChain } from './testing/on-chain';
import type { Running } from './testing/program';
import { ANVIL, Program, SUITE_MS } from './testing/program';
import { SandboxUnderTest } from './testing/sandbox-under-test';
import { until } from './testing/waiting';

jest.setTimeout(SUITE_MS);

const PRICE = '40.00';
const HOLDER = '529.982.247-25';
const STRANGER = '11144477735';
const COMPANY = '11.222.333/0001-81';

let program: Program;
let running: Running;
let customer: Customer;
let sandbox: SandboxUnderTest;
let receiver: WebhookReceiver;

// No one asks the bank by himself: what is known comes from callbacks, or from reading a charge when it is closed.
beforeAll(async () => {
  program = await Program.build();
  running = await program.start(program.dataFolder(), { ...ANVIL, LEDGER_POLL_MS: '3600000', LEDGER_RESUME_MS: '200' });
  customer = Customer.of(running.sandbox);
  sandbox = SandboxUnderTest.of(running);
  receiver = await startWebhookReceiver();
  receiver.useSecret(await customer.listen(receiver.url));
});
afterAll(async () => {
  await Promise.all([customer.api.close(), sandbox.close()]);
  await program.close();
  await receiver.close();
});
afterEach(() => sandbox.misbehave({ callbacks: 'prompt', returns: 'prompt', settlement: 'prompt' }));

type Charged = Order & { readonly brcode: string; readonly expiration: string };

async function order(): Promise<Charged> {
  const { status, body } = await customer.accept(await customer.quote(PRICE), { brcode: true });
  expect(status).toBe(200);
  return body.order as Charged;
}

/** Someone pays over HTTP; the holder of the account unless he is named. */
const paid = async (
  brcode: string,
  how: { readonly amount?: string; readonly 'payer-tax-id'?: string } = {},
): Promise<PaidPix['pix-payment']> =>
  (await customer.api.post<PaidPix>('/api/v1/sandbox/pix-payments', { brcode, ...how }))['pix-payment'];
const pay = async (...payment: Parameters<typeof paid>): Promise<string> => (await paid(...payment))['end-to-end-id'];

interface Standing {
  readonly brl: unknown;
  readonly brlv: string;
  readonly onChain: bigint;
  readonly received: string;
  readonly returned: string;
  readonly kept: string;
}

/** What the account has by our books, by the chain's and by the bank's. */
async function standing(): Promise<Standing> {
  const { received, returned } = await sandbox.bank();
  return {
    brl: await customer.balance('brl'),
    brlv: (await customer.balance('brlv')).running,
    onChain: wei(await brlvOnChain(running.dataDirectory).of(running.sandbox['wallet-address'])),
    received,
    returned,
    kept: reais(centavos(received) - centavos(returned)),
  };
}

const NOTHING_HELD = { running: '0.00', available: '0.00', held: '0.00' };
const ONE = 10n ** 18n;
const centavos = (amount: string): bigint => BigInt(amount.replace('.', ''));
const reais = (amount: bigint): string =>
  String(amount)
    .padStart(3, '0')
    .replace(/(?=..$)/, '.');
const wei = (tokens: string): bigint => {
  const [whole = '0', part = ''] = tokens.split('.');
  return BigInt(`${whole}${part.padEnd(18, '0')}`);
};

/** A mint of the whole price, and nothing else. */
async function expectBought(before: Standing, times = 1): Promise<void> {
  const after = await standing();
  expect(after.onChain - before.onChain).toBe(40n * ONE * BigInt(times));
  expect(centavos(after.kept) - centavos(before.kept)).toBe(40_00n * BigInt(times));
  expect(after.brl).toEqual(NOTHING_HELD);
}

/** The order is over, the money is back at its payer's bank, and there are no more tokens than before. */
async function expectReturned(
  before: Standing,
  orderId: string,
  code: string,
  endToEndId: string,
  paid: string,
): Promise<void> {
  const order = await customer.ended(orderId);
  expect(order).toMatchObject({ state: 'rolled-back', failure: { code } });
  expect(order).not.toHaveProperty('tx-hash');
  const deposit = await expectVoided(endToEndId, paid);
  const after = await until(async () => {
    const now = await standing();
    expect(now.kept).toBe(before.kept);
    return now;
  });
  expect(after).toMatchObject({ brl: NOTHING_HELD, brlv: before.brlv, onChain: before.onChain });
  expect(centavos(after.returned) - centavos(before.returned)).toBe(centavos(paid));
  await expectReported(orderId, ['order-created', 'order-rolled-back']);
  const [, rolledBack] = receiver.verified.filter((one) => one['resource-id'] === orderId);
  expect(rolledBack?.payload['failure']).toMatchObject({ code });
  await expectReported(deposit.id, ['deposit-voided']);
}

async function expectVoided(endToEndId: string, paid: string): Promise<Deposit> {
  const deposit = await customer.deposited(endToEndId, 'voided');
  expect(deposit.amount).toBe(paid);
  return deposit;
}

const expectReported = (resourceId: string, types: readonly string[]): Promise<void> =>
  until(() => {
    expect(
      receiver.verified.filter((one) => one['resource-id'] === resourceId).map((one) => one['event-type']),
    ).toEqual(types);
  });

describe('an order that is paid by brcode', () => {
  it('paid as agreed: the tokens are minted once, however often the bank tells of it (C2, C5)', async () => {
    await sandbox.misbehave({ callbacks: 'repeated' });
    const before = await standing();
    const { id, brcode, expiration } = await order();
    expect(Date.parse(expiration)).toBeGreaterThan(sandbox.now());
    const endToEndId = await pay(brcode);
    expect(await customer.ended(id)).toMatchObject({
      state: 'completed',
      'tx-hash': expect.stringMatching(/^0x[0-9a-f]{64}$/) as string,
    });
    await customer.deposited(endToEndId, 'credited');
    await expectBought(before);
    await expectReported(id, ['order-created', 'order-processing', 'order-completed']);
  });

  it('the tax id is compared by its digits (C4)', async () => {
    const { id, brcode } = await order();
    await pay(brcode, { 'payer-tax-id': HOLDER });
    expect((await customer.ended(id)).state).toBe('completed');
  });

  it.each([
    ['a centavo less', '39.99'],
    ['a centavo more', '40.01'],
    ['ten times as much', '400.00'],
  ])('%s is returned whole: amount-mismatch (C3)', async (_how, amount) => {
    const before = await standing();
    const { id, brcode } = await order();
    await expectReturned(before, id, 'amount-mismatch', await pay(brcode, { amount }), amount);
  });

  it.each([
    ['another person', STRANGER],
    ['a company', COMPANY],
  ])('paid by %s: payer-tax-id-mismatch (C4)', async (_who, payer) => {
    const before = await standing();
    const { id, brcode } = await order();
    await expectReturned(before, id, 'payer-tax-id-mismatch', await pay(brcode, { 'payer-tax-id': payer }), PRICE);
  });

  it('paid twice: the second payment goes back, the order is carried out once (C2)', async () => {
    const before = await standing();
    const { id, brcode } = await order();
    const [first, second] = [await pay(brcode), await pay(brcode)];
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
    await until(async () => expectBought(before));
    const voided = deposits.find((one) => one?.status === 'voided')?.id ?? '';
    await expectReported(voided, ['deposit-voided']);
    expect(receiver.verified.find((one) => one['resource-id'] === voided)?.payload).toMatchObject({
      reason: 'paid-twice',
      'source-tax-id': expect.stringMatching(/^\*{3}\.\d{3}\.\d{3}-\*{2}$/) as string,
      'source-legal-name': '***',
      'source-account-number': '***',
    });
  });

  it('paid late, judged by the settlement time: paid-late (C1)', async () => {
    const before = await standing();
    const { id, brcode, expiration } = await order();
    // It is the bank that is late, not we: the sweep of expired charges has no reason to come between.
    await sandbox.misbehave({ settlement: 'late' });
    const { 'end-to-end-id': endToEndId, 'settled-at': settledAt } = await paid(brcode);
    expect(Date.parse(settledAt)).toBeGreaterThan(Date.parse(expiration));
    await expectReturned(before, id, 'paid-late', endToEndId, PRICE);
  });

  it('fails with brcode-expired when it is not paid in time, and a later payment is returned (C9)', async () => {
    const before = await standing();
    const { id, brcode, expiration } = await order();
    await sandbox.pass(expiration);
    expect(await customer.ended(id)).toMatchObject({ state: 'rolled-back', failure: { code: 'brcode-expired' } });
    await expectReturned(before, id, 'brcode-expired', await pay(brcode), PRICE);
  });

  it('honours a payment that settled in time and was reported late, and the late notice changes nothing (C1, C5)', async () => {
    await sandbox.misbehave({ callbacks: 'held' });
    const before = await standing();
    const { id, brcode, expiration } = await order();
    const endToEndId = await pay(brcode);
    expect(await customer.order(id)).toMatchObject({ state: 'created' });
    await sandbox.pass(expiration);
    expect((await customer.ended(id)).state).toBe('completed');
    await expectBought(before);
    // With this the held word goes out.
    await sandbox.misbehave({ callbacks: 'prompt' });
    await customer.deposited(endToEndId, 'credited');
    // A later payment is reported after the delayed notice, which changed nothing.
    const { id: next, brcode: nextCode } = await order();
    await pay(nextCode);
    expect((await customer.ended(next)).state).toBe('completed');
    await expectBought(before, 2);
  });

  it('a bank that takes its time with returns, or refuses one, still gives the money back (C6)', async () => {
    for (const returns of ['processing', 'not-carried-out'] as const) {
      await sandbox.misbehave({ returns });
      const before = await standing();
      const { id, brcode } = await order();
      const endToEndId = await pay(brcode, { amount: '41.00' });
      expect(await customer.ended(id)).toMatchObject({ state: 'rolled-back', failure: { code: 'amount-mismatch' } });
      await expectVoided(endToEndId, '41.00');
      await sandbox.misbehave({ returns: 'prompt' });
      await until(async () => expect((await standing()).kept).toBe(before.kept));
    }
  });

  it('after all of it the bank keeps what our books say that it keeps, and the tokens are as many', async () => {
    const { kept, brl, brlv, onChain } = await standing();
    expect(brl).toEqual(NOTHING_HELD);
    expect(brlv).toBe(`${kept}${'0'.repeat(16)}`);
    expect(onChain).toBe(centavos(kept) * 10n ** 16n);
    expect(receiver.refused).toBe(0);
  });
});
