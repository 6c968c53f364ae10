import type { WebhookReceiver } from '../demo/webhook-receiver';
import { startWebhookReceiver } from '../demo/webhook-receiver';
import { trialBalanceOf, ofType, readLog } from './testing/trial-balance';
import type { Answer, ErrorBody, Json } from './testing/client';
import { succeeded } from './testing/client';
import { Customer } from './testing/customer';
import { brlvOnChain } from './testing/on-chain';
import type { Running } from './testing/program';
import { ANVIL, Program, SUITE_MS } from './testing/program';
import { until } from './testing/waiting';

jest.setTimeout(SUITE_MS);

interface Wallet extends Json {
  readonly id: string;
  readonly name: string;
  readonly address: string;
  readonly assets: string[];
  readonly 'ui-enabled': boolean;
  readonly metadata: Json;
}
interface Transfer extends Json {
  readonly id: string;
  readonly state: string;
  readonly 'tx-hash': string | null;
  readonly failure?: { readonly code: string };
}
interface Withdrawal extends Json {
  readonly id: string;
  readonly state: string;
  readonly 'tx-hash'?: string | null;
  readonly failure?: { readonly code: string };
}
type Created = Answer<{ readonly transfer: Transfer }>;

/** BRLV that the sub-account starts with. */
const FUNDS = 100;
const OUTSIDE = `0x${'cd'.repeat(20)}`;
const brlv = (amount: number | string): string => `${amount}.${'0'.repeat(18)}`;

let program: Program;
let running: Running;
let customer: Customer;
let partner: Customer;
let receiver: WebhookReceiver;
let source: string;

beforeAll(async () => {
  program = await Program.build();
  running = await program.start(program.dataFolder(), ANVIL);
  customer = Customer.of(running.sandbox);
  partner = new Customer(customer.api, running.sandbox['account-id']);
  receiver = await startWebhookReceiver();
  receiver.useSecret(await partner.listen(receiver.url));
  source = running.sandbox['wallet-address'];
  await customer.fund(`${FUNDS}.00`);
  const {
    body: { order },
  } = await customer.accept(await customer.quote(`${FUNDS}.00`));
  expect(await customer.ended(order.id)).toMatchObject({ state: 'completed' });
});
afterAll(async () => {
  await customer.api.close();
  await program.close();
  await receiver.close();
});

const walletsOf = async (owner: Customer, query = ''): Promise<Wallet[]> =>
  (await owner.api.get<{ wallets: Wallet[] }>(owner.path(`/wallets${query}`))).wallets;
const send = (body: Json, key?: string, path = customer.path('/transfers')): Promise<Created> =>
  customer.api.send(
    'POST',
    path,
    { 'source-address': source, asset: 'eth-base/brlv', ...body },
    key === undefined ? {} : { 'idempotency-key': key },
  );
const codeOf = (answer: Answer<unknown>): string => `${answer.status} ${(answer.body as ErrorBody).error.code}`;
const codesOf = (answer: Answer<unknown>): string[] =>
  ((answer.body as ErrorBody).error.details ?? []).map(({ path, code }) => `${String(path)} ${code}`);

async function ended(id: string): Promise<Transfer> {
  return until(async () => {
    const { transfer } = await customer.api.get<{ transfer: Transfer }>(customer.path(`/transfers/${id}`));
    if (transfer.state !== 'completed' && transfer.state !== 'failed')
      throw new Error(`the transfer has not ended: ${JSON.stringify(transfer)}`);
    return transfer;
  });
}

describe('wallets', () => {
  it('are listed with filters, added by name, and changed by merging', async () => {
    const chain = customer.path('/wallets');
    const [main] = await walletsOf(customer, `?addresses=${source.toUpperCase().replace('0X', '0x')}`);
    expect(main).toMatchObject({ name: 'Main wallet eth-base', address: source, 'ui-enabled': true, metadata: {} });
    expect((await walletsOf(customer)).map(({ assets }) => assets.length).sort()).toEqual([1, 3, 5]);
    expect((await walletsOf(customer, '?assets=tempo/brlv,eth-mainnet/usdc')).map(({ name }) => name).sort()).toEqual([
      'Main wallet eth-mainnet',
      'Main wallet tempo',
    ]);
    expect(await walletsOf(customer, '?assets=tempo/brlv&assets=fiat/brl')).toHaveLength(1);
    const { wallet } = await customer.api.post<{ wallet: Wallet }>(chain, {
      'wallet-name': 'Savings',
      chain: 'eth-base',
      metadata: { label: 'shop', old: 'x' },
    });
    expect(wallet).toMatchObject({ name: 'Savings', 'ui-enabled': false, metadata: { label: 'shop', old: 'x' } });
    expect(wallet.address).not.toBe(source);
    const patched = await customer.api.send<{ wallet: Wallet }>('PATCH', `${chain}/${wallet.id}/metadata`, {
      metadata: { old: null, label: 'new' },
      'ui-enabled': true,
    });
    expect(patched.body.wallet).toEqual({ ...wallet, metadata: { label: 'new' }, 'ui-enabled': true });
    expect((await walletsOf(customer))[0]).toEqual(patched.body.wallet);
    const foreign = await customer.api.send('PATCH', partner.path(`/wallets/${wallet.id}/metadata`), {
      'ui-enabled': false,
    });
    expect(codeOf(foreign)).toBe('404 wallet-not-found');
  });
});

describe('a token transfer', () => {
  it('to an address outside leaves the books and the chain alike, and is reported by webhooks', async () => {
    const before = (await customer.balance('brlv')).running;
    const { transfer } = succeeded(
      await send({ 'target-address': OUTSIDE, amount: '10.5', 'external-id': 'payout-1' }, 'outside'),
    );
    expect(transfer).toMatchObject({
      state: 'created',
      amount: `10.5${'0'.repeat(17)}`,
      'source-address': source,
      'target-address': OUTSIDE,
      'tx-hash': null,
    });
    const done = await ended(transfer.id);
    expect(done).toMatchObject({ state: 'completed', 'external-id': 'payout-1' });
    const chain = brlvOnChain(running.dataDirectory);
    expect([before, (await customer.balance('brlv')).running, await chain.of(OUTSIDE), await chain.of(source)]).toEqual(
      [brlv(100), `89.5${'0'.repeat(17)}`, '10.5', '89.5'],
    );
    await until(() => {
      const reported = receiver.verified.filter((one) => one['resource-id'] === transfer.id);
      expect(reported.map((one) => [one['event-type'], one.sequence])).toEqual([
        ['token-transfer-pending', 1],
        ['token-transfer-completed', 2],
      ]);
    });
    const lists = await Promise.all(
      [
        '?external-id=payout-1',
        `?tx-hash=${done['tx-hash']}`,
        `?target-address=${OUTSIDE}&state=completed`,
        '?asset=eth-base/brlv',
      ].map(async (query) =>
        (await customer.api.get<{ transfers: Transfer[] }>(customer.path(`/transfers${query}`))).transfers.map(
          ({ id }) => id,
        ),
      ),
    );
    expect(lists).toEqual([[transfer.id], [transfer.id], [transfer.id], [transfer.id]]);
    expect(
      (await customer.api.get<{ transfers: Transfer[] }>(customer.path('/transfers?state=failed'))).transfers,
    ).toEqual([]);
    expect(codeOf(await customer.api.send('GET', partner.path(`/transfers/${transfer.id}`)))).toBe(
      '404 transfer-not-found',
    );
  });

  it('to another account moves both books, and the receiver sees a token deposit', async () => {
    const [target] = await walletsOf(partner, '?assets=eth-base/brlv');
    const { transfer } = succeeded(await send({ 'target-address': target?.address, amount: '20' }, 'inside'));
    const done = await ended(transfer.id);
    expect(done).toMatchObject({ state: 'completed' });
    const { deposits } = await until(async () => {
      const found = await partner.api.get<{ deposits: Json[] }>(
        partner.path(`/assets/brlv/deposits?tx-hash=${done['tx-hash']}&type=token`),
      );
      expect(found.deposits).toMatchObject([{ status: 'credited' }]);
      return found;
    });
    expect(deposits[0]).toMatchObject({
      type: 'token',
      asset: 'eth-base/brlv',
      amount: brlv(20),
      'tx-hash': done['tx-hash'],
      coordinates: { 'source-chain': 'eth-base', 'source-address': source, 'target-address': target?.address },
    });
    expect(await partner.balance('brlv')).toEqual({ running: brlv(20), available: brlv(20), held: brlv(0) });
    expect(await brlvOnChain(running.dataDirectory).of(target?.address ?? '')).toBe('20');
    // And on from there: the receiver's wallet is deployed with its first outgoing movement.
    const on = await customer.api.send<{ transfer: Transfer }>('POST', '/api/v0/transfers', {
      'source-address': target?.address,
      asset: 'eth-base/brlv',
      amount: '1',
      'target-address': source,
    });
    expect(succeeded(on).transfer.state).toBe('created');
    await until(async () => expect(await partner.balance('brlv')).toMatchObject({ running: brlv(19) }));
    await until(async () => expect((await customer.balance('brlv')).running).toBe(`70.5${'0'.repeat(17)}`));
  });

  it('between two wallets of one account changes nothing but the chain, and a wallet that holds too little is refused', async () => {
    const [savings] = (await walletsOf(customer)).filter(({ name }) => name === 'Savings');
    const { transfer } = succeeded(await send({ 'target-address': savings?.address, amount: '5' }));
    expect(await ended(transfer.id)).toMatchObject({ state: 'completed' });
    expect(await customer.balance('brlv')).toMatchObject({ running: `70.5${'0'.repeat(17)}`, held: brlv(0) });
    expect(await brlvOnChain(running.dataDirectory).of(savings?.address ?? '')).toBe('5');
    const short = await send({
      'source-address': savings?.address,
      'target-address': OUTSIDE,
      amount: '5.000000000000000001',
    });
    expect(codeOf(short)).toBe('422 insufficient-balance');
  });

  it('is refused with the codes of the contract, all at once', async () => {
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
      [{ amount: '1000' }, '422 insufficient-balance'],
      [{ amount: 1 }, '400 amount-must-be-string'],
      [{ amount: '1', 'external-id': 'payout-1' }, '422 external-id-already-used'],
    ];
    for (const [change, code] of cases)
      expect([change, codeOf(await send({ 'target-address': OUTSIDE, ...change }))]).toEqual([change, code]);
    const many = await send({
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

  it('is one under one key, however often and for whichever body it is asked again', async () => {
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
    expect(codeOf(await send({ ...body, amount: '2' }, 'twins'))).toBe('422 idempotency-key-reused');
    expect(await ended(answers[0]?.body.transfer.id ?? '')).toMatchObject({ state: 'completed' });
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

  it('leaves by the same transactions as transfers, and is reported by webhooks', async () => {
    const before = await customer.balance('brlv');
    const outside = Number(await brlvOnChain(running.dataDirectory).of(OUTSIDE));
    const done = await withdraw(OUTSIDE, '2');
    expect(done).toMatchObject({ state: 'completed', 'tx-hash': expect.stringMatching(/^0x[0-9a-f]{64}$/) });
    expect(Number(await brlvOnChain(running.dataDirectory).of(OUTSIDE))).toBe(outside + 2);
    expect(Number(before.running) - Number((await customer.balance('brlv')).running)).toBe(2);
    await until(() => {
      const reported = receiver.verified.filter((one) => one['resource-id'] === done.id);
      expect(reported.map((one) => [one['event-type'], one.sequence])).toEqual([
        ['withdraw-processing', 1],
        ['withdraw-completed', 2],
      ]);
    });
  });

  it("to another account's wallet is its deposit of tokens, and to an own one is refused", async () => {
    const [target] = await walletsOf(partner, '?assets=eth-base/brlv');
    const before = Number((await partner.balance('brlv')).running);
    const done = await withdraw(target?.address, '3');
    expect(done).toMatchObject({ state: 'completed' });
    await until(async () => {
      const { deposits } = await partner.api.get<{ deposits: Json[] }>(
        partner.path(`/assets/brlv/deposits?tx-hash=${done['tx-hash']}`),
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

it('of 32 parallel transfers on a balance that is good for k, exactly k win, and in the end the ledger equals the chain', async () => {
  const winners = 9;
  // What the second wallet holds is in the balance too, but this wallet cannot send it.
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
  const ends = await Promise.all(won.map(({ body }) => ended(body.transfer.id)));
  expect(ends.map(({ state, failure }) => [state, failure?.code])).toEqual(won.map(() => ['completed', undefined]));
  const chain = brlvOnChain(running.dataDirectory);
  const own = await walletsOf(customer, '?assets=eth-base/brlv');
  const held = await Promise.all(own.map(({ address }) => chain.of(address)));
  expect(held.reduce((sum, one) => sum + Number(one), 0)).toBeCloseTo(
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
  expect(running.log).toBe('');
});
