import type { WebhookReceiver } from '../demo/webhook-receiver';
import { trialBalanceOf, ofType, readLog } from './testing/trial-balance';
import type { Answer, ErrorBody, Json } from './testing/client';
import { complaintsIn } from './testing/complaints';
import { succeeded } from './testing/client';
import type { Customer } from './testing/customer';
import { brlvOnChain } from './testing/on-chain';
import type { Running } from './testing/program';
import { ANVIL, SUITE_MS } from './testing/program';
import { until } from './testing/waiting';
import { SandboxSuite } from './testing/sandbox-suite';
import { codeOf } from './testing/client';
import type { Deposit } from './testing/customer';

jest.setTimeout(SUITE_MS);

type TokenDeposit = Deposit & { readonly 'tx-hash': string };
type Sent = Answer<{
  readonly deposit: Json & Readonly<Record<'tx-hash' | 'source-address' | 'target-address', string>>;
}>;

let running: Running;
let suite: SandboxSuite;
let customer: Customer;
let receiver: WebhookReceiver;
let wallet: string;

beforeAll(async () => {
  suite = await SandboxSuite.start(ANVIL);
  ({ running, customer, wallet } = suite);
  receiver = await suite.receiverOf(customer);
});
afterAll(() => suite.close());

const simulate = (body: Json, key?: string): Promise<Sent> =>
  customer.api.send(
    'POST',
    '/api/v1/sandbox/deposits',
    { 'account-id': customer.accountId, type: 'token', asset: 'eth-base/usdc', ...body },
    key === undefined ? {} : { 'idempotency-key': key },
  );
const deposits = async (symbol: string, query = ''): Promise<TokenDeposit[]> =>
  (await customer.api.get<{ deposits: TokenDeposit[] }>(customer.path(`/assets/${symbol}/deposits${query}`))).deposits;
const balance = async (symbol: string): Promise<string> =>
  String(
    (await customer.api.get<{ balance: Json }>(customer.path(`/assets/${symbol}/balance`))).balance['running-balance'],
  );

async function credited(symbol: string, txHash: string): Promise<TokenDeposit> {
  return until(async () => {
    const [found] = await deposits(symbol, `?tx-hash=${txHash}`);
    if (found?.status !== 'credited') throw new Error(`the deposit is not credited: ${JSON.stringify(found)}`);
    return found;
  });
}

describe('tokens that arrive from outside', () => {
  it("become one deposit of the wallet's account, shown in v0, v1, the balance and a webhook", async () => {
    const { deposit: sent } = succeeded(await simulate({ amount: '12.5' }, 'from-outside'));
    expect(sent).toMatchObject({
      type: 'token',
      asset: 'eth-base/usdc',
      amount: '12.500000',
      'target-address': wallet,
    });
    expect(succeeded(await simulate({ amount: '12.5' }, 'from-outside')).deposit['tx-hash']).toBe(sent['tx-hash']);
    const deposit = await credited('usdc', sent['tx-hash']);
    expect(deposit).toMatchObject({
      type: 'token',
      asset: 'eth-base/usdc',
      amount: '12.500000',
      'tx-hash': sent['tx-hash'],
      coordinates: { 'source-chain': 'eth-base', 'source-address': sent['source-address'], 'target-address': wallet },
    });
    expect(
      (await customer.api.get<{ deposit: TokenDeposit }>(customer.path(`/assets/usdc/deposits/${deposit.id}`))).deposit,
    ).toEqual(deposit);
    // In v0 the key acts on its own account, the partner's.
    expect(codeOf(await customer.api.send('GET', `/api/v0/assets/usdc/deposits/${deposit.id}`))).toBe(
      '404 deposit-not-found',
    );
    const own = succeeded(
      await simulate({ 'account-id': running.sandbox['account-id'], asset: 'eth-mainnet/usdt', amount: '3' }),
    ).deposit;
    const {
      deposits: [listed],
    } = await until(async () => {
      const found = await customer.api.get<{ deposits: TokenDeposit[] }>(
        `/api/v0/assets/usdt/deposits?tx-hash=${own['tx-hash']}`,
      );
      expect(found.deposits).toMatchObject([{ status: 'credited', asset: 'eth-mainnet/usdt' }]);
      return found;
    });
    expect(
      (await customer.api.get<{ deposit: TokenDeposit }>(`/api/v0/assets/usdt/deposits/${String(listed?.id)}`)).deposit,
    ).toEqual(listed);
    expect(await balance('usdc')).toBe('12.500000');
    await until(() => {
      const [reported] = receiver.verified.filter((one) => one['resource-id'] === deposit.id);
      expect(reported).toMatchObject({
        'event-type': 'deposit-processed',
        sequence: 1,
        'previous-state': 'confirmed',
        payload: {
          'deposit-id': deposit.id,
          asset: 'eth-base/usdc',
          amount: '12.500000',
          status: 'credited',
          'deposit-type': 'token',
          'source-address': sent['source-address'],
          'target-address': wallet,
          'tx-hash': sent['tx-hash'],
        },
      });
      expect(Object.keys(reported?.['payload'] as Json).sort()).toEqual([
        'account-id',
        'amount',
        'asset',
        'created-at',
        'deposit-id',
        'deposit-type',
        'source-address',
        'status',
        'target-address',
        'tx-hash',
      ]);
    });
  });

  it('are limited to earlier transfers out for a token that Ponte issues, and are booked once', async () => {
    await customer.fund('50.00');
    const {
      body: { order },
    } = await customer.accept(await customer.quote('50.00'));
    expect(await customer.ended(order.id)).toMatchObject({ state: 'completed' });
    const none = await simulate({ asset: 'eth-base/brlv', amount: '5' });
    expect(codeOf(none)).toBe('422 insufficient-balance');
    const [outsider = ''] = /0x[0-9a-f]{40}/.exec((none.body as unknown as ErrorBody).error.message) ?? [];
    const { transfer } = succeeded(
      await customer.api.send<{ transfer: Json & { id: string } }>('POST', customer.path('/transfers'), {
        'source-address': wallet,
        asset: 'eth-base/brlv',
        amount: '20',
        'target-address': outsider,
      }),
    );
    await until(async () =>
      expect(
        (await customer.api.get<{ transfer: Json }>(customer.path(`/transfers/${transfer.id}`))).transfer,
      ).toMatchObject({ state: 'completed' }),
    );
    const { deposit: sent } = succeeded(await simulate({ asset: 'eth-base/brlv', amount: '5' }));
    expect(await credited('brlv', sent['tx-hash'])).toMatchObject({ amount: '5.000000000000000000' });
    expect((await customer.balance('brlv')).running).toBe('35.000000000000000000');
    expect(await brlvOnChain(running.dataDirectory).of(wallet)).toBe('35');
    // The mint and the transfer are Ponte's own movements, not deposits.
    expect((await deposits('brlv')).map((one) => one['tx-hash'])).toEqual([sent['tx-hash']]);
  });

  it('are no deposit if nothing, a look-alike token or nothing final was sent', async () => {
    const before = [await balance('usdc'), (await deposits('usdc')).length];
    for (const amount of ['1.91', '1.92', '1.93', '1.94']) succeeded(await simulate({ amount }));
    const { deposit: last } = succeeded(await simulate({ amount: '1' }));
    await credited('usdc', last['tx-hash']);
    expect([await balance('usdc'), (await deposits('usdc')).length]).toEqual([
      (Number(before[0]) + 1).toFixed(6),
      Number(before[1]) + 1,
    ]);
  });

  it('are refused by the sandbox with the documented codes', async () => {
    expect(codeOf(await simulate({ asset: 'tempo/brlv', amount: '0.0000001' }))).toBe('422 amount-scale-exceeded');
    expect(codeOf(await simulate({ asset: 'fiat/brl', amount: '1' }))).toBe('422 asset-not-supported');
    expect(codeOf(await simulate({ amount: '1', 'target-address': `0x${'cd'.repeat(20)}` }))).toBe(
      '404 wallet-not-found',
    );
    expect(codeOf(await simulate({ amount: '1', 'payer-tax-id': '52998224725' }))).toBe('400 unknown-field');
    expect(
      codeOf(
        await customer.api.send('POST', '/api/v1/sandbox/deposits', {
          'account-id': customer.accountId,
          type: 'token',
          amount: '1',
        }),
      ),
    ).toBe('400 missing-field');
  });
});

it('the books sum to zero after all deposits, and no deposit was credited twice', async () => {
  await running.stop();
  const log = await readLog(running.dataDirectory);
  const { unbalancedAt } = trialBalanceOf(log);
  expect(unbalancedAt).toBeNull();
  const credits = ofType<{ depositId: string }>(log, 'DepositCredited').map(({ data }) => data.depositId);
  expect(new Set(credits).size).toBe(credits.length);
  expect(complaintsIn(running.log)).toEqual([]);
});
