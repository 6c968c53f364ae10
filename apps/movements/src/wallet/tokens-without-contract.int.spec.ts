import 'reflect-metadata';
import { ProvisionWallets, ResolveWallet } from '@ponte/contracts';
import { derivedId } from '@ponte/kernel';
import { movementsForEachTest } from '../testing/movements-for-each-test';

const { open } = movementsForEachTest();
const accountId = derivedId('account', 'one');
const [served, missing] = ['eth-base/brlv', 'eth-base/usdt'] as const;

it('An order learns that its token has no contract, whichever side of it the wallet is on', async () => {
  const movements = open();
  delete (movements.base.deployment.tokens as Record<string, unknown>)[missing];
  await movements.start();
  await movements.bus.request(ProvisionWallets, { accountId, parentId: null }, movements.context());
  const lacks = async (asset: typeof served | typeof missing, over = {}) => {
    const amounts = { asset, amount: asset === served ? '1.000000000000000000' : '1.000000' };
    const query = { accountId, chain: 'eth-base', address: null, tokens: amounts, ...over } as const;
    return (await movements.bus.request(ResolveWallet, query, movements.context())).lacksContract;
  };
  expect([await lacks(missing), await lacks(missing, { pays: true })]).toEqual([true, true]);
  expect([await lacks(served), await lacks(missing, { tokens: null })]).toEqual([undefined, undefined]);
});
