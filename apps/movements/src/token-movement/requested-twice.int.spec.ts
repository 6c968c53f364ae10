import 'reflect-metadata';
import type { TokenMovementPurpose } from '@ponte/contracts';
import { Refusal } from '@ponte/kernel';
import { eventually, temporaryFolder } from '@ponte/testing';
import type { MovementsUnderTest } from '../testing/movements-under-test';
import { movementsForEachTest } from '../testing/movements-for-each-test';
import { TwoWallets } from '../testing/two-wallets';

const { open } = movementsForEachTest();

let account: TwoWallets;
let other: MovementsUnderTest;
let second: ReturnType<typeof temporaryFolder>;
beforeEach(async () => {
  second = temporaryFolder();
  const first = await open({ instant: false, replicated: true }).start();
  account = await TwoWallets.of(first);
  other = await open({ instant: false, replicated: true, beside: first }).start(second.path);
  account.answer(other);
});
afterEach(() => second.remove());

const intents = () =>
  account.movements
    .ofType('TransactionIntended')
    .map(({ data }) => (data as { purpose: TokenMovementPurpose }).purpose.walletIds);

/** Another process records the movement while this one reads what the wallets can pay, which changes meanwhile. */
async function requestBeside(amount: number): Promise<unknown> {
  account.withdraw('payout', 4);
  const { listed } = account;
  let requested: Promise<unknown> | undefined;
  account.listed = async () => {
    account.listed = listed;
    requested = account.send('payout', 4, other);
    await requested;
    account.promise('order', 2);
    return account.holds;
  };
  return account.send('payout', amount);
}

describe('A movement that another process records while it is requested', () => {
  it('keeps the wallets of that process', async () => {
    await requestBeside(4);
    expect(intents()).toEqual([[account.main.id, account.savings.id]]);
    await eventually(async () => {
      account.movements.base.mine();
      expect(await account.balances()).toEqual([0, 4]);
    });
  });

  it('is refused if it has different terms', async () => {
    const refused = await requestBeside(3).catch((error: unknown) => error);
    expect(refused instanceof Refusal && refused.code).toBe('movement-already-requested');
    expect(intents()).toHaveLength(1);
  });
});
