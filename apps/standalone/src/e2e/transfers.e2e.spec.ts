import type { WebhookReceiver } from '../demo/webhook-receiver';
import type { Json } from './testing/client';
import { succeeded } from './testing/client';
import type { Customer } from './testing/customer';
import { brlvOnChain } from './testing/on-chain';
import type { Running } from './testing/program';
import { ANVIL, SUITE_MS } from './testing/program';
import { until } from './testing/waiting';
import { SandboxSuite } from './testing/sandbox-suite';
import { codeOf } from './testing/client';
import type { Transfer, Wallet } from './testing/transfers';
import { brlv, FUNDS, OUTSIDE, Transfers, walletsOf } from './testing/transfers';

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
});
afterAll(() => suite.close());

describe('wallets', () => {
  it('are listed with filters, created with a name and changed by merging metadata', async () => {
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
  it('to an external address keeps books and chain equal and is reported by webhooks', async () => {
    const before = (await customer.balance('brlv')).running;
    const { transfer } = succeeded(
      await transfers.send({ 'target-address': OUTSIDE, amount: '10.5', 'external-id': 'payout-1' }, 'outside'),
    );
    expect(transfer).toMatchObject({
      state: 'created',
      amount: `10.5${'0'.repeat(17)}`,
      'source-address': source,
      'target-address': OUTSIDE,
      'tx-hash': null,
    });
    const completed = await transfers.ended(transfer.id);
    expect(completed).toMatchObject({ state: 'completed', 'external-id': 'payout-1' });
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
        `?tx-hash=${completed['tx-hash']}`,
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

  it('to another account changes both balances and is a token deposit for the receiver', async () => {
    const [target] = await walletsOf(partner, '?assets=eth-base/brlv');
    const { transfer } = succeeded(await transfers.send({ 'target-address': target?.address, amount: '20' }, 'inside'));
    const completed = await transfers.ended(transfer.id);
    expect(completed).toMatchObject({ state: 'completed' });
    const { deposits } = await until(async () => {
      const found = await partner.api.get<{ deposits: Json[] }>(
        partner.path(`/assets/brlv/deposits?tx-hash=${completed['tx-hash']}&type=token`),
      );
      expect(found.deposits).toMatchObject([{ status: 'credited' }]);
      return found;
    });
    expect(deposits[0]).toMatchObject({
      type: 'token',
      asset: 'eth-base/brlv',
      amount: brlv(20),
      'tx-hash': completed['tx-hash'],
      coordinates: { 'source-chain': 'eth-base', 'source-address': source, 'target-address': target?.address },
    });
    expect(await partner.balance('brlv')).toEqual({ running: brlv(20), available: brlv(20), held: brlv(0) });
    expect(await brlvOnChain(running.dataDirectory).of(target?.address ?? '')).toBe('20');
    // Transfers some back: the receiver's wallet is deployed with its first outgoing movement.
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

  it('between two wallets of one account changes only the chain, and cannot exceed the source wallet', async () => {
    const [savings] = (await walletsOf(customer)).filter(({ name }) => name === 'Savings');
    const { transfer } = succeeded(await transfers.send({ 'target-address': savings?.address, amount: '5' }));
    expect(await transfers.ended(transfer.id)).toMatchObject({ state: 'completed' });
    expect(await customer.balance('brlv')).toMatchObject({ running: `70.5${'0'.repeat(17)}`, held: brlv(0) });
    expect(await brlvOnChain(running.dataDirectory).of(savings?.address ?? '')).toBe('5');
    const short = await transfers.send({
      'source-address': savings?.address,
      'target-address': OUTSIDE,
      amount: '5.000000000000000001',
    });
    expect(codeOf(short)).toBe('422 insufficient-balance');
  });
});
