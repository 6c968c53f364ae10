import 'reflect-metadata';
import { eventually } from '@ponte/testing';
import { signed } from '../chain/adapters/chain-under-test.testing';
import { SimulatedSigner } from '../signer/adapters/simulated.keystore.adapter';
import { movementsForEachTest } from '../testing/movements-for-each-test';
import type { MovementsUnderTest } from '../testing/movements-under-test';
import { TO, signer } from '../testing/movements-under-test';

const UNKNOWN = { chain: 'eth-base', operator: 'unknown' } as const;
/** Otherwise the bytes are sent again at the start, as to a chain that forgets. */
const REMEMBERS = { forget: false } as const;
const tests = movementsForEachTest();

/** The process ends after the signature of a mint, before it sends the bytes. */
async function leaveSigned(): Promise<MovementsUnderTest> {
  const before = tests.open(REMEMBERS);
  await (await before.start()).diesAfter('TransactionSigned', 'signed');
  return before;
}

/** Movements with another keystore. */
const withoutKey = (before: MovementsUnderTest) =>
  tests.open({ ...REMEMBERS, beside: before, keys: new SimulatedSigner('another') }).start();

describe('a signed transaction of a key that movements does not have', () => {
  it('is sent again and completed, because its bytes are in the log', async () => {
    const movements = await withoutKey(await leaveSigned());
    expect((await movements.ended('signed')).state).toBe('completed');
    await expect(movements.balance()).resolves.toBe(25n * 10n ** 17n);
    await eventually(async () => {
      expect(await movements.gauge('ponte_operator_pending_transactions', UNKNOWN)).toBe(0);
    });
  });

  it('fails when the contract reverts it', async () => {
    const before = await leaveSigned();
    before.base.script({ kind: 'revert' });
    const movements = await withoutKey(before);
    expect((await movements.ended('signed')).state).toBe('failed');
    expect(movements.ofType('TransactionReverted')).toHaveLength(1);
  });

  it('fails when another transaction has its nonce in a final block', async () => {
    const before = await leaveSigned();
    const call = before.base.transferCall({ asset: 'eth-base/usdc', to: TO, units: 0n });
    await before.base.broadcast((await signed(before.base, signer, 'operator', call, 0)).raw);
    before.base.mine();
    const movements = await withoutKey(before);
    expect((await movements.ended('signed')).state).toBe('failed');
    expect(movements.ofType('TransactionSuperseded')).toHaveLength(1);
    await expect(movements.balance()).resolves.toBe(0n);
  });
});
