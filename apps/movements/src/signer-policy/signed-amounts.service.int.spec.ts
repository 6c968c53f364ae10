import 'reflect-metadata';
import { ProvisionWallets } from '@ponte/contracts';
import { eventually, temporaryFolder } from '@ponte/testing';
import type { Kysely } from 'kysely';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MovementsUnderTest } from '../testing/movements-under-test';
import { movementsForEachTest } from '../testing/movements-for-each-test';

/** Longer than many rounds of the sender. */
const LATER_MS = 500;
/** An hour takes one mint of this amount, and no second one. */
const AMOUNT = { amount: '2' };
const setup = { limits: { 'eth-base/brlv': { transaction: '2', hour: '3' } } };

const { open } = movementsForEachTest();
const second = temporaryFolder();
afterAll(() => second.remove());

/** Waits until the read models know that something was signed. */
const projected = (movements: MovementsUnderTest) =>
  eventually(async () => {
    const db = movements.readModels as Kysely<{ signing_keys: { sender: string } }>;
    const keys = await db.selectFrom('signing_keys').select('sender').where('sender', '!=', '').execute();
    expect(keys).toHaveLength(1);
  });
const stays = async (movements: MovementsUnderTest, name: string, state: string) => {
  await sleep(LATER_MS);
  expect((await movements.mintOf(name)).state).toBe(state);
};

describe('The hourly limit of the signer', () => {
  it('includes what this process signed before its last start', async () => {
    const movements = await open(setup).start();
    await movements.mint('first', AMOUNT);
    await movements.ended('first');
    await movements.stop();
    await movements.start();
    await projected(movements);
    await movements.mint('second', AMOUNT);
    await stays(movements, 'second', 'created');
  });

  it('includes what another process has signed', async () => {
    const one = await open({ ...setup, replicated: true }).start();
    const other = await open({ ...setup, replicated: true, beside: one }).start(second.path);
    await one.mint('first', AMOUNT);
    await one.ended('first');
    // A store wakes its own readers only.
    await other.bus.request(ProvisionWallets, { accountId: 'account', parentId: null }, other.context());
    await projected(other);
    await other.mint('second', AMOUNT);
    await stays(other, 'second', 'created');
  });

  it('does not stop a transaction that got its nonce before: it would block all later ones of its key', async () => {
    const changing = { limits: { 'eth-base/brlv': { transaction: '2.5', hour: '3.5' } } };
    const movements = await open(changing).start();
    await movements.mint('before', { amount: '1' });
    await movements.ended('before');
    await movements.diesAfter('NoncesAllocated', 'numbered');
    expect(movements.ofType('TransactionSigned')).toHaveLength(1);
    changing.limits = { 'eth-base/brlv': { transaction: '2.5', hour: '3' } };
    await movements.start();
    await projected(movements);
    await expect(movements.ended('numbered')).resolves.toMatchObject({ state: 'completed' });
    expect(movements.nonces()).toEqual([0, 1]);
    await movements.mint('later', { amount: '1' });
    await stays(movements, 'later', 'created');
  });
});
