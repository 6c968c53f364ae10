import { trialBalanceOf, readLog } from './testing/trial-balance';
import type { Answer } from './testing/client';
import { succeeded } from './testing/client';
import type { Order } from './testing/customer';
import type { Customer } from './testing/customer';
import type { Running } from './testing/program';
import { ANVIL, SUITE_MS } from './testing/program';
import { SandboxSuite } from './testing/sandbox-suite';
import { codeOf, codesOf } from './testing/client';
import { tokenOnChain } from './testing/on-chain';

jest.setTimeout(SUITE_MS);

interface Quote {
  readonly id: string;
  readonly 'source-amount': string;
  readonly 'target-amount': string;
}
type Accepted = Answer<{ readonly order: Order }>;

let running: Running;
let suite: SandboxSuite;
let customer: Customer;
let wallet: string;

beforeAll(async () => {
  suite = await SandboxSuite.start(ANVIL);
  ({ running, customer, wallet } = suite);
  await customer.fund('10000.00');
});
afterAll(() => suite.close());

const balanceOf = async (asset: string): Promise<string> =>
  (await customer.api.get<{ balance: Record<string, string> }>(customer.path(`/assets/${asset}/balance`))).balance[
    'running-balance'
  ] ?? '';

async function quote(source: string, target: string, amount: Record<string, string>): Promise<Quote> {
  const fx = /usd/.test(source + target) ? { 'trade-reason': 'transfer-between-same-entity-accounts' } : {};
  const request = { 'source-asset': source, 'target-asset': target, ...amount, ...fx };
  return succeeded(await customer.api.persist<Quote>(customer.path('/quotes'), request));
}

const accept = ({ id }: Quote, members: Record<string, string> = {}): Promise<Accepted> =>
  customer.api.send('POST', customer.path('/orders'), { 'quote-id': id, ...members });

/** Places an order and waits for its end. */
async function convert(
  source: string,
  target: string,
  amount: string,
  members: Record<string, string> = {},
): Promise<Order> {
  const accepted = await accept(await quote(source, target, { 'source-amount': amount }), members);
  return customer.ended(succeeded(accepted).order.id);
}

describe('an order paid from the balance', () => {
  const TOKENS = [
    'eth-base/brlv',
    'eth-mainnet/brlv',
    'tempo/brlv',
    'eth-base/wbrly',
    'eth-base/usdc',
    'eth-mainnet/usdc',
    'eth-base/usdt',
    'eth-mainnet/usdt',
  ];

  it.each(TOKENS)('buys %s and sells it again', async (token) => {
    const bought = await convert('fiat/brl', token, '100.00');
    expect(bought).toMatchObject({ state: 'completed', 'tx-hash': expect.stringMatching(/^0x[0-9a-f]{64}$/) });
    const mine = token.startsWith('eth-base') ? { 'source-wallet-address': wallet } : await ownWallet(token);
    const sold = await convert(token, 'fiat/brl', bought['target-amount'] as string, mine);
    expect(sold).toMatchObject({ state: 'completed', 'source-amount': bought['target-amount'] });
    expect(sold['tx-hash']).not.toBe(bought['tx-hash']);
    expect(Number(await balanceOf(token.split('/')[1] ?? ''))).toBe(0);
  });

  it('is refused for a wallet that is not whitelisted', async () => {
    const target = { 'target-wallet-address': `0x${'ef'.repeat(20)}` };
    expect(codeOf(await accept(await quote('fiat/brl', 'eth-base/usdc', { 'source-amount': '50.00' }), target))).toBe(
      '422 wallet-not-allowed',
    );
  });

  it('is refused without enough of the token, and holds it while the sale is open', async () => {
    await convert('fiat/brl', 'eth-base/usdc', '60.00');
    const held = await balanceOf('usdc');
    const both = await Promise.all([
      quote('eth-base/usdc', 'fiat/brl', { 'source-amount': held }),
      quote('eth-base/usdc', 'fiat/brl', { 'source-amount': held }),
    ]);
    const answers = await Promise.all(both.map((one) => accept(one)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    const refused = answers.find(({ status }) => status === 422);
    expect(refused && codeOf(refused)).toBe('422 insufficient-balance');
    const placed = answers.find(({ status }) => status === 200);
    expect(placed && (await customer.ended(succeeded(placed).order.id)).state).toBe('completed');
  });
});

async function ownWallet(token: string): Promise<Record<string, string>> {
  const { wallets } = await customer.api.get<{ wallets: { address: string }[] }>(
    customer.path(`/wallets?assets=${token}`),
  );
  return { 'source-wallet-address': wallets[0]?.address ?? '' };
}

describe('an account with two wallets', () => {
  const from = (address: string) => ({ 'source-wallet-address': address });
  const to = (address: string) => ({ 'target-wallet-address': address });
  let savings: string;
  const onChain = (token: string) =>
    Promise.all([wallet, savings].map((one) => tokenOnChain(running.dataDirectory, token, one)));

  beforeAll(async () => {
    const terms = { 'wallet-name': 'Savings', chain: 'eth-base' };
    const opened = await customer.api.post<{ wallet: { address: string } }>(customer.path('/wallets'), terms);
    savings = opened.wallet.address;
  });

  it('sells only what the named wallet holds, and takes nothing from the other', async () => {
    const token = 'eth-base/brlv';
    await convert('fiat/brl', token, '30.00');
    await convert('fiat/brl', token, '20.00', to(savings));
    const more = await accept(await quote(token, 'fiat/brl', { 'source-amount': '25' }), from(savings));
    expect(codesOf(more)).toEqual(['source-wallet-address insufficient-balance']);
    const sold = await convert(token, 'fiat/brl', '20', from(savings));
    expect(sold).toMatchObject({ state: 'completed', ...from(savings) });
    expect(await onChain(token)).toEqual(['30', '0']);
    expect((await convert(token, 'fiat/brl', '30', from(wallet))).state).toBe('completed');
  });

  it('sells from the wallet that holds the tokens, and names it, if the order names none', async () => {
    const token = 'eth-base/usdc';
    const bought = await convert('fiat/brl', token, '60.00', to(savings));
    const [before] = await onChain(token);
    const sold = await convert(token, 'fiat/brl', bought['target-amount'] as string);
    expect(sold).toMatchObject({ state: 'completed', ...from(savings) });
    expect(await onChain(token)).toEqual([before, '0']);
  });
});

describe('an FX order by brcode', () => {
  it('locks the rate when it is accepted and delivers if it is paid within five minutes', async () => {
    const paying = { 'source-payment-method': 'brcode' };
    const { order } = succeeded(
      await accept(await quote('fiat/brl', 'eth-base/usdc', { 'source-amount': '50.00' }), paying),
    );
    expect(Date.parse(order.expiration as string) - Date.parse(order['created-at'] as string)).toBe(300_000);
    await customer.api.post('/api/v1/sandbox/pix-payments', { brcode: order.brcode });
    expect(await customer.ended(order.id)).toMatchObject({ state: 'completed', 'source-amount': '50.00' });
  });
});

describe('the books of these orders', () => {
  it('sum to zero after each event, keep the charges and leave no hold open', async () => {
    await running.stop();
    const books = trialBalanceOf(await readLog(running.dataDirectory));
    expect(books.unbalancedAt).toBeNull();
    expect(books.openHolds).toEqual([]);
    expect(books.lines.get('house:spread fiat/brl')?.isPositive()).toBe(true);
    expect(books.lines.get('house:reserve fiat/brl')?.isZero()).toBe(true);
    for (const token of ['eth-base/brlv', 'eth-mainnet/brlv', 'tempo/brlv', 'eth-base/wbrly'] as const) {
      expect([token, books.lines.get(`house:issuance ${token}`)?.isZero()]).toEqual([token, true]);
    }
  });
});
