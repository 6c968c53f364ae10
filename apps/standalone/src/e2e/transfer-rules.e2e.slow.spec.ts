import type { WebhookReceiver } from '../demo/webhook-receiver';
import type { Json } from './testing/client';
import { complaintsIn } from './testing/complaints';
import { codeOf, codesOf, succeeded } from './testing/client';
import type { Customer } from './testing/customer';
import { brlvOnChain } from './testing/on-chain';
import type { Running } from './testing/program';
import { ANVIL, SUITE_MS } from './testing/program';
import { until } from './testing/waiting';
import { SandboxSuite } from './testing/sandbox-suite';
import type { Transfer, Wallet, Withdrawal } from './testing/transfers';
import { FUNDS, OUTSIDE, Transfers, brlv, walletsOf } from './testing/transfers';
import { ofType, readLog, trialBalanceOf } from './testing/trial-balance';

jest.setTimeout(SUITE_MS);

let running: Running;
let suite: SandboxSuite;
let customer: Customer;
let partner: Customer;
let receiver: WebhookReceiver;
let source: string;
let transfers: Transfers;

beforeAll(async () => {
  suite = await SandboxSuite.start(ANVIL);
  ({ running, customer, partner, wallet: source } = suite);
  transfers = new Transfers(customer, source);
  receiver = await suite.receiverOf(partner);
  await customer.fund(`${FUNDS}.00`);
  const {
    body: { order },
  } = await customer.accept(await customer.quote(`${FUNDS}.00`));
  expect(await customer.ended(order.id)).toMatchObject({ state: 'completed' });
  const savings = { 'wallet-name': 'Savings', chain: 'eth-base' };
  const { wallet } = await customer.api.post<{ wallet: Wallet }>(customer.path('/wallets'), savings);
  const saved = { 'target-address': wallet.address, amount: '2', 'external-id': 'payout-1' };
  await transfers.ended(succeeded(await transfers.send(saved)).transfer.id);
});
afterAll(() => suite.close());

describe('a token transfer', () => {
  it('is refused with the documented codes, all violations at once', async () => {
    const mixed = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD'.replace('A', 'a');
    const [other] = await walletsOf(partner, '?assets=eth-base/brlv');
    const cases: [Json, string][] = [
      [{ asset: 'eth-base/usdc', amount: '1' }, '422 asset-not-supported'],
      [{ asset: 'tempo/brlv', amount: '1' }, '422 asset-not-supported'],
      [{ asset: 'fiat/brl', amount: '1' }, '422 asset-not-supported'],
      [{ 'target-address': '0x12', amount: '1' }, '422 invalid-address'],
      [{ 'target-address': `0x${'0'.repeat(40)}`, amount: '1' }, '422 invalid-address'],
      [{ 'target-address': mixed, amount: '1' }, '422 bad-address-checksum'],
      [{ 'target-address': source, amount: '1' }, '422 same-source-and-target'],
      [{ 'source-address': other?.address, amount: '1' }, '422 source-wallet-not-owned'],
      [{ amount: '0.999999' }, '422 amount-below-minimum'],
      [{ amount: '1000' }, '422 insufficient-balance'],
      [{ amount: 1 }, '400 amount-must-be-string'],
      [{ amount: '1', 'external-id': 'payout-1' }, '422 external-id-already-used'],
    ];
    for (const [change, code] of cases)
      expect([change, codeOf(await transfers.send({ 'target-address': OUTSIDE, ...change }))]).toEqual([change, code]);
    const many = await transfers.send({
      'source-address': 'x',
      'target-address': mixed,
      asset: 'eth-base/usdt',
      amount: '1.1234567',
    });
    expect(codesOf(many)).toEqual([
      'asset asset-not-supported',
      'source-address invalid-address',
      'target-address bad-address-checksum',
      'amount amount-scale-exceeded',
    ]);
    expect((await customer.balance('brlv')).held).toBe(brlv(0));
  });

  it('is made once per key, and the key is refused for another body', async () => {
    const body = { 'target-address': OUTSIDE, amount: '1' };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        customer.api.persist<{ transfer: Transfer }>(
          customer.path('/transfers'),
          { 'source-address': source, asset: 'eth-base/brlv', ...body },
          'twins',
        ),
      ),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(codeOf(await transfers.send({ ...body, amount: '2' }, 'twins'))).toBe('422 idempotency-key-reused');
    expect(await transfers.ended(answers[0]?.body.transfer.id ?? '')).toMatchObject({ state: 'completed' });
  });
});

describe('a withdrawal of tokens', () => {
  const withdraw = async (destination: string | undefined, amount: string): Promise<Withdrawal> => {
    const body = { asset: 'eth-base/brlv', method: 'token', amount, 'destination-wallet-address': destination };
    const { withdrawal } = succeeded(
      await customer.api.send<{ withdrawal: Withdrawal }>('POST', customer.path('/withdrawals'), body),
    );
    return until(async () => {
      const now = await customer.api.get<Withdrawal>(customer.path(`/withdrawals/${withdrawal.id}`));
      if (now.state !== 'completed' && now.state !== 'rolled-back')
        throw new Error(`the withdrawal has not ended: ${JSON.stringify(now)}`);
      return now;
    });
  };

  it('is refused below the minimum, which the message names', async () => {
    const body = { asset: 'eth-base/brlv', amount: '0.999999', 'destination-wallet-address': OUTSIDE };
    const answer = await customer.api.send<never>('POST', customer.path('/withdrawals'), body);
    expect(codesOf(answer)).toEqual(['amount amount-below-minimum']);
    expect(answer.text).toContain(`must be at least ${brlv(1)} of eth-base/brlv`);
  });

  it('uses the same transactions as transfers and is reported by webhooks', async () => {
    const before = await customer.balance('brlv');
    const outside = Number(await brlvOnChain(running.dataDirectory).of(OUTSIDE));
    const withdrawal = await withdraw(OUTSIDE, '2');
    expect(withdrawal).toMatchObject({ state: 'completed', 'tx-hash': expect.stringMatching(/^0x[0-9a-f]{64}$/) });
    expect(Number(await brlvOnChain(running.dataDirectory).of(OUTSIDE))).toBe(outside + 2);
    expect(Number(before.running) - Number((await customer.balance('brlv')).running)).toBe(2);
    await until(() => {
      const reported = receiver.verified.filter((one) => one['resource-id'] === withdrawal.id);
      expect(reported.map((one) => [one['event-type'], one.sequence])).toEqual([
        ['withdraw-processing', 1],
        ['withdraw-completed', 2],
      ]);
    });
  });

  it("to another account's wallet is a token deposit there, and to an own wallet is refused", async () => {
    const [target] = await walletsOf(partner, '?assets=eth-base/brlv');
    const before = Number((await partner.balance('brlv')).running);
    const withdrawal = await withdraw(target?.address, '3');
    expect(withdrawal).toMatchObject({ state: 'completed' });
    await until(async () => {
      const { deposits } = await partner.api.get<{ deposits: Json[] }>(
        partner.path(`/assets/brlv/deposits?tx-hash=${withdrawal['tx-hash']}`),
      );
      expect(deposits).toMatchObject([{ type: 'token', status: 'credited', amount: brlv(3) }]);
    });
    expect(Number((await partner.balance('brlv')).running)).toBe(before + 3);
    const [savings] = (await walletsOf(customer)).filter(({ name }) => name === 'Savings');
    const own = {
      asset: 'eth-base/brlv',
      amount: '1',
      method: 'token',
      'destination-wallet-address': savings?.address,
    };
    const answer = await customer.api.send<never>('POST', customer.path('/withdrawals'), own);
    expect([codeOf(answer), codesOf(answer)]).toEqual([
      '422 same-source-and-target',
      ['destination-wallet-address same-source-and-target'],
    ]);
    await until(async () => expect((await customer.balance('brlv')).held).toBe(brlv(0)));
  });
});

it('of 32 parallel transfers exactly k win when the balance covers k, and the ledger then equals the chain', async () => {
  const winners = 9;
  // The balance includes the second wallet's tokens, which this wallet cannot send.
  const rest = Number(await brlvOnChain(running.dataDirectory).of(source));
  const price = String(Math.floor((rest / winners) * 100) / 100);
  const answers = await Promise.all(
    Array.from({ length: 32 }, (_, at) =>
      customer.api.persist<{ transfer: Transfer }>(
        customer.path('/transfers'),
        { 'source-address': source, asset: 'eth-base/brlv', 'target-address': OUTSIDE, amount: price },
        `spend-${at}`,
      ),
    ),
  );
  const won = answers.filter(({ status }) => status === 200);
  expect([won.length, new Set(answers.filter(({ status }) => status !== 200).map(codeOf))]).toEqual([
    winners,
    new Set(['422 insufficient-balance']),
  ]);
  const ends = await Promise.all(won.map(({ body }) => transfers.ended(body.transfer.id)));
  expect(ends.map(({ state, failure }) => [state, failure?.code])).toEqual(won.map(() => ['completed', undefined]));
  const chain = brlvOnChain(running.dataDirectory);
  const own = await walletsOf(customer, '?assets=eth-base/brlv');
  const balances = await Promise.all(own.map(({ address }) => chain.of(address)));
  expect(balances.reduce((sum, one) => sum + Number(one), 0)).toBeCloseTo(
    Number((await customer.balance('brlv')).running),
    6,
  );
  await running.stop();
  const log = await readLog(running.dataDirectory);
  const { unbalancedAt, openHolds, lines } = trialBalanceOf(log);
  expect({ unbalancedAt, openHolds }).toEqual({ unbalancedAt: null, openHolds: [] });
  expect(lines.get('house:clearing eth-base/brlv')?.isZero()).toBe(true);
  const completed = ofType<{ transferId: string }>(log, 'TransferCompleted').map(({ data }) => data.transferId);
  expect(new Set(completed).size).toBe(completed.length);
  expect(ofType(log, 'TransferFailed')).toEqual([]);
  expect(complaintsIn(running.log)).toEqual([]);
});
