import 'reflect-metadata';
import type { AmountOf } from '@ponte/contracts';
import { CheckTokenMovement, ProvisionWallets, ResolveWallet } from '@ponte/contracts';
import { derivedId } from '@ponte/kernel';
import type { MovementsUnderTest } from '../testing/movements-under-test';
import { movementsForEachTest } from '../testing/movements-for-each-test';

const { open } = movementsForEachTest();
const accountId = derivedId('account', 'one');
const asset = 'eth-base/brlv';
const OUTSIDE = `0x${'cd'.repeat(20)}`;
const LARGEST = '2.000000000000000000';
const MORE = '2.000000000000000001';

let movements: MovementsUnderTest;
const startWith = async (transaction: string, hour: string) => {
  movements = await open({ limits: { [asset]: { transaction, hour } } }).start();
  await movements.bus.request(ProvisionWallets, { accountId, parentId: null }, movements.context());
};
const withdrawal = async (amount: string | null, destination = OUTSIDE) => {
  const query = { accountId, asset, amount, destination } as const;
  const { violations } = await movements.bus.request(CheckTokenMovement, query, movements.context());
  return violations.map(({ code, path }) => `${code} ${path}`);
};
const order = async (tokens: AmountOf | null, address: string | null = null) => {
  const query = { accountId, chain: 'eth-base', address, tokens } as const;
  const { relation, aboveMaximum } = await movements.bus.request(ResolveWallet, query, movements.context());
  return [relation?.kind, aboveMaximum];
};

describe.each([
  ['one transaction', '2', '100'],
  ['a whole hour', '100', '2'],
])('The limit of the signer for %s', (_, transaction, hour) => {
  beforeEach(() => startWith(transaction, hour));

  it('is known before a withdrawal of tokens is created', async () => {
    expect([await withdrawal(LARGEST), await withdrawal(null)]).toEqual([[], []]);
    expect(await withdrawal(MORE)).toEqual(['amount-above-maximum amount']);
    expect(await withdrawal(MORE, '0x12')).toEqual(['amount-above-maximum amount', 'invalid-address destination']);
  });

  it('is known when the wallet of an order is resolved', async () => {
    const of = (amount: string) => ({ asset, amount }) as const;
    expect([await order(of(LARGEST)), await order(null)]).toEqual([
      ['internal', false],
      ['internal', false],
    ]);
    expect(await order(of(MORE))).toEqual(['internal', true]);
    expect(await order(of(MORE), 'not an address')).toEqual([undefined, true]);
    // Each asset has its own limit.
    expect(await order({ asset: 'eth-base/usdc', amount: '3.000000' })).toEqual(['internal', false]);
  });
});
