import 'reflect-metadata';
import { CHAINS } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import type { Hex } from '../chain/chain.port';
import { KeysOnAnvil } from '../testing/keys-on-anvil';
import type { MovementsUnderTest } from '../testing/movements-under-test';
import { TO } from '../testing/movements-under-test';

const FROZEN = 'frozen-account';
/** Longer than a transaction counts as fresh, which is signed without asking for its account, ms. */
const FRESH_MS = 1_000;
/** One mint of the amount below is signed in an hour, so that the second one waits unsigned. */
const ONE_MINT = { 'eth-base/brlv': { transaction: '2.5', hour: '2.5' } } as const;
const AMOUNT = 25n * 10n ** 17n;

let keys: KeysOnAnvil;
let former: Hex;
let movements: MovementsUnderTest;

beforeEach(async () => {
  keys = new KeysOnAnvil();
  former = await keys.start();
}, 120_000);
afterEach(() => keys.stop());

const signers = () => movements.ofType('TransactionSigned').map(({ data }) => (data as { readonly from: string }).from);
const gauge = async (name: 'pending' | 'unfinal', operator: string) => {
  const read = CHAINS.map((chain) => movements.gauge(`ponte_operator_${name}_transactions`, { chain, operator }));
  return (await Promise.all(read)).reduce<number>((sum, value) => sum + (value ?? NaN), 0);
};
const balance = () => keys.balanceOf(TO);
const state = async (name: string) => (await movements.mintOf(name)).state;
const nothingIsLeftOf = (operator: string) =>
  eventually(async () => expect([await gauge('pending', operator), await gauge('unfinal', operator)]).toEqual([0, 0]));

/** Transactions of the key: one is completed, one waits for coins and one, unsigned, for the release of its account. */
async function leaveUnfinished(): Promise<void> {
  movements = await keys.movements({ former: false, limits: ONE_MINT });
  await movements.mint('completed');
  expect((await movements.ended('completed')).state).toBe('completed');
  await movements.mint('of a frozen account', { accountId: FROZEN });
  movements.statuses.set(FROZEN, 'frozen');
  const [, intended] = movements.ofType('TransactionIntended');
  await eventually(async () =>
    expect(Date.now() - Date.parse(intended?.meta.occurredAt ?? '')).toBeGreaterThan(FRESH_MS),
  );
  // Starts again with a limit that allows both.
  await keys.coins(former, 0n);
  movements = await keys.movements({ former: false });
  await movements.mint('without coins');
  await eventually(async () => expect(await state('without coins')).toBe('pending'));
  expect(await state('of a frozen account')).toBe('created');
}

describe('the replacement of an operator key', () => {
  it('as planned: the former key ends its transactions, and is revoked when nothing is left', async () => {
    await leaveUnfinished();
    await movements.stop();
    const current = await keys.replaceKeystore();
    await keys.grant(current);
    await keys.coins(current, 1n);
    expect(new Set(await keys.roles(current))).toEqual(new Set([true]));

    movements = await keys.movements({ former: true });
    await movements.mint('new');
    expect((await movements.ended('new')).state).toBe('completed');
    await eventually(async () => expect(await gauge('pending', 'former/operator')).toBe(2));
    expect(await gauge('pending', 'unknown')).toBe(0);
    await keys.coins(former, 1n);
    expect((await movements.ended('without coins')).state).toBe('completed');
    expect(await state('of a frozen account')).toBe('created');
    movements.statuses.set(FROZEN, 'active');
    expect((await movements.ended('of a frozen account')).state).toBe('completed');
    await nothingIsLeftOf('former/operator');

    await keys.revoke(former);
    expect(new Set(await keys.roles(former))).toEqual(new Set([false]));
    movements = await keys.movements({ former: false });
    await movements.mint('last');
    expect((await movements.ended('last')).state).toBe('completed');
    expect(await gauge('pending', 'unknown')).toBe(0);
    expect(signers()).toEqual([former, former, current, former, current]);
    expect(await balance()).toBe(5n * AMOUNT);
  }, 120_000);

  it('as stolen: the contracts revert its transactions, which fail, and the new key works', async () => {
    await leaveUnfinished();
    await keys.revoke(former);
    expect(new Set(await keys.roles(former))).toEqual(new Set([false]));
    await movements.stop();
    const current = await keys.replaceKeystore();
    await keys.grant(current);
    await keys.coins(current, 1n);

    movements = await keys.movements({ former: true });
    await movements.mint('new');
    expect((await movements.ended('new')).state).toBe('completed');
    await keys.coins(former, 1n);
    expect((await movements.ended('without coins')).state).toBe('failed');
    expect(await state('of a frozen account')).toBe('created');
    movements.statuses.set(FROZEN, 'active');
    expect((await movements.ended('of a frozen account')).state).toBe('failed');
    await nothingIsLeftOf('former/operator');
    expect(movements.ofType('TransactionReverted')).toHaveLength(2);

    movements = await keys.movements({ former: false });
    await movements.mint('last');
    expect((await movements.ended('last')).state).toBe('completed');
    expect(signers()).toEqual([former, former, current, former, current]);
    expect(await balance()).toBe(3n * AMOUNT);
  }, 120_000);
});
