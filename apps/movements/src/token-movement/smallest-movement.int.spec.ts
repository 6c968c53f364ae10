import 'reflect-metadata';
import type { AssetId } from '@ponte/kernel';
import { derivedId } from '@ponte/kernel';
import { CheckTokenMovement, ProvisionWallets } from '@ponte/contracts';
import type { MovementsUnderTest } from '../testing/movements-under-test';
import { movementsForEachTest } from '../testing/movements-for-each-test';

const { open } = movementsForEachTest();
const accountId = derivedId('account', 'one');
const OUTSIDE = `0x${'cd'.repeat(20)}`;

let movements: MovementsUnderTest;
beforeEach(async () => {
  movements = await open().start();
  await movements.bus.request(ProvisionWallets, { accountId, parentId: null }, movements.context());
});

const violationsOf = async (asset: AssetId, amount: string, more: object = {}) => {
  const query = { accountId, asset, amount, destination: OUTSIDE, ...more } as const;
  const { violations } = await movements.bus.request(CheckTokenMovement, query, movements.context());
  return violations.map(({ code, path }) => `${code} ${path}`);
};

describe('The minimum amount of a token', () => {
  it('is known before a withdrawal is created, unless that takes the whole balance of at least one unit', async () => {
    const available = '9.000000';
    expect(await violationsOf('eth-base/usdc', '0.999999', { available })).toEqual(['amount-below-minimum amount']);
    expect(await violationsOf('eth-base/usdc', '1.000000', { available })).toEqual([]);
    expect(await violationsOf('eth-mainnet/usdc', '8.999999', { available })).toEqual(['amount-below-minimum amount']);
    expect(await violationsOf('eth-mainnet/usdc', '9.000000', { available })).toEqual([]);
  });

  it('is reported with the other violations', async () => {
    const more = { available: '0.000000', destination: '0x12' };
    expect(await violationsOf('eth-base/usdc', '0.000001', more)).toEqual([
      'amount-below-minimum amount',
      'invalid-address destination',
    ]);
  });

  it('does not apply to movements that no account requests, such as those of staff', async () => {
    expect(await violationsOf('eth-base/usdc', '0.000001')).toEqual([]);
  });
});
