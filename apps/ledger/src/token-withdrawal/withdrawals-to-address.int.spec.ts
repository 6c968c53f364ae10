import { ListWithdrawalsTo } from '@ponte/contracts';
import { eventually } from '@ponte/testing';
import { CLEAN_ADDRESS, fundTokens } from '../testing/fund-tokens';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';

const ledger = ledgerForEachTest({ booksBalance: true });
const asset = 'eth-base/brlv';
const OTHER_ADDRESS = `0x${'ef'.repeat(20)}`;

const withdraw = (destinationWalletAddress: string) =>
  ledger.withdraw('1', { destinationWalletAddress }, { asset, method: 'token' });
const listed = async (address: string, state: 'created' | 'processing', limit = 5) =>
  (await ledger.ask(ListWithdrawalsTo, { address, state, limit })).items.map(({ id }) => id);

it('open token withdrawals to an address are listed for any account, in one state', async () => {
  await fundTokens(ledger);
  await eventually(async () => expect((await ledger.balance(asset)).available).toBe('100.000000000000000000'));
  const [one, two, other] = [
    await withdraw(CLEAN_ADDRESS),
    await withdraw(CLEAN_ADDRESS),
    await withdraw(OTHER_ADDRESS),
  ];
  await eventually(async () => {
    expect((await listed(CLEAN_ADDRESS, 'processing')).sort()).toEqual([one.id, two.id].sort());
    expect(await listed(OTHER_ADDRESS, 'processing')).toEqual([other.id]);
  });
  expect(await listed(CLEAN_ADDRESS, 'created')).toEqual([]);
  expect(await listed(CLEAN_ADDRESS, 'processing', 1)).toHaveLength(1);
});
