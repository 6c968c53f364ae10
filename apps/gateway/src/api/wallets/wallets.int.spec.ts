import 'reflect-metadata';
import { ChangeWalletMetadata, CreateWallet, GetWalletBalances } from '@ponte/contracts';
import { Unavailable } from '@ponte/kernel';
import { CHILD } from '../../testing/accounts';
import { codeOf } from '../../testing/use-gateway';
import { errorOf, gateway, key, post, send, useTestGateway } from '../../edge/testing/edge-requests';
import { SAMPLE } from '../samples';

useTestGateway();

const WALLETS = `/api/v1/accounts/${CHILD}/wallets`;
const METADATA = `${WALLETS}/${SAMPLE.walletId}/metadata`;
const create = (metadata: unknown, name = 'Savings') =>
  post(WALLETS, { 'wallet-name': name, chain: 'eth-base', metadata });
const change = (metadata: unknown) => send('PATCH', METADATA, JSON.stringify({ metadata }));

describe('the metadata of a wallet', () => {
  it('is created without its null values, and a change passes them on to delete keys', async () => {
    expect(codeOf(await create({ label: 'Shop', old: null }))).toBe('200');
    expect(gateway.bus.requestsOf(CreateWallet).at(-1)?.payload.metadata).toEqual({ label: 'Shop' });
    expect(codeOf(await change({ label: 'Shop', old: null }))).toBe('200');
    expect(gateway.bus.requestsOf(ChangeWalletMetadata).at(-1)?.payload.metadata).toEqual({ label: 'Shop', old: null });
  });

  it.each([
    ['a null character', 'a\u0000b'],
    ['a line break', 'a\nb'],
    ['a C1 control character', 'a\u0085b'],
    ['a change of text direction', 'a\u202eb'],
    ['an isolated text direction', 'a\u2066b'],
    ['half of a surrogate pair', 'a\ud800b'],
  ])('is refused with %s', async (_, label) => {
    for (const send of [create, change]) {
      const answer = await send({ label });
      expect([codeOf(answer), errorOf(answer).details]).toEqual([
        '400 invalid-format',
        [
          {
            path: 'metadata.label',
            code: 'invalid-format',
            message: expect.stringContaining('control characters') as string,
          },
        ],
      ]);
    }
  });

  it('may contain any other text, such as joined emoji', async () => {
    expect(codeOf(await create({ label: 'Família 👨‍👩‍👧 ação' }))).toBe('200');
  });

  // A change may delete all keys and set as many others. Those left after merging are counted by the wallet.
  it.each([
    ['a creation', create, 50],
    ['a change', change, 100],
  ])('has at most as many keys in %s as a valid request can have', async (_case, request, most) => {
    const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 'v']));
    expect(codeOf(await request(keys(most)))).toBe('200');
    const answer = await request(keys(most + 1));
    expect([codeOf(answer), errorOf(answer).details?.map(({ path }) => path)]).toEqual([
      '400 invalid-format',
      ['metadata'],
    ]);
  });

  it('is refused with every wrong entry, whose path does not repeat an odd key', async () => {
    const answer = await create({ 'A key': 'x', n: 1, long: 'x'.repeat(501) });
    expect(errorOf(answer).details?.map(({ path, code }) => `${path} ${code}`)).toEqual([
      'metadata.? invalid-format',
      'metadata.n invalid-type',
      'metadata.long invalid-format',
    ]);
  });
});

it.each(['a\u0007b', 'a\u202eb', 'a\ud800', ' '])('a wallet may not be named %j', async (name) => {
  const answer = await create({}, name);
  expect([codeOf(answer), errorOf(answer).message]).toEqual([
    '400 invalid-format',
    expect.stringContaining('must be 1 to 80 printable characters, not only spaces'),
  ]);
});

describe('the balances of a wallet', () => {
  const balances = (walletId: string) => gateway.app.inject({ url: `${WALLETS}/${walletId}/balances`, headers: key });

  it('are what it holds on its chain, and when that was read', async () => {
    expect((await balances(SAMPLE.walletId)).json()).toEqual({
      balances: [{ asset: 'eth-base/usdc', amount: '1.000000' }],
      'as-of': SAMPLE.time,
    });
    expect(gateway.bus.requestsOf(GetWalletBalances).at(-1)?.payload).toEqual({
      accountId: CHILD,
      walletId: SAMPLE.walletId,
    });
  });

  it('are not found for an unknown id or one that is not a UUID', async () => {
    expect(codeOf(await balances(SAMPLE.orderId))).toBe('404 wallet-not-found');
    expect(codeOf(await balances('savings'))).toBe('404 wallet-not-found');
  });

  it('are unavailable while no node of the chain answers', async () => {
    gateway.bus.on(GetWalletBalances, () => Promise.reject(new Unavailable('chain-unavailable')));
    expect(codeOf(await balances(SAMPLE.walletId))).toBe('503 chain-unavailable');
  });
});
