import 'reflect-metadata';
import { derivedId } from '@ponte/kernel';
import { referenceOf } from '../token-movement/chain-values.domain';
import type { Hex } from '../chain/chain.port';
import { movementsForEachTest } from '../testing/movements-for-each-test';
import { TO } from '../testing/movements-under-test';

const { open } = movementsForEachTest();
const AMOUNT = 25n * 10n ** 17n;

describe('a mint', () => {
  it('goes from intent to confirmation, and each step is durable before the next: intent, nonce, signed bytes, broadcast', async () => {
    const movements = await open().start();
    await expect(movements.mint('one')).resolves.toEqual({ settlementId: derivedId('mint', 'one') });
    const minted = await movements.ended('one');
    expect(movements.types()).toEqual([
      'TransactionIntended',
      'NoncesAllocated',
      'TransactionSigned',
      'TransactionConfirmed',
    ]);
    expect(movements.ofType('TransactionConfirmed')[0]?.data).toMatchObject({
      purpose: { orderId: derivedId('order', 'one'), accountId: 'account' },
      txHash: minted.txHash,
    });
    await expect(movements.base.transaction(minted.txHash as Hex)).resolves.toMatchObject({
      status: 'mined',
      succeeded: true,
    });
    await expect(movements.balance()).resolves.toBe(AMOUNT);
    await expect(movements.base.takenIn('minter', referenceOf(derivedId('mint', 'one')))).resolves.toBe(minted.txHash);
    const [intended] = movements.ofType('TransactionIntended');
    expect(
      new Set(
        movements
          .events()
          .filter(({ type }) => type !== 'NoncesAllocated')
          .map(({ meta }) => meta.correlationId),
      ),
    ).toEqual(new Set([intended?.meta.correlationId]));
  });

  it('converts to the decimals of the contract (tempo/brlv has 6 on chain)', async () => {
    const movements = await open().start();
    await movements.mint('tempo', { asset: 'tempo/brlv' });
    await movements.ended('tempo');
    await expect(movements.chains.get('tempo')?.tokenBalance('tempo/brlv', TO)).resolves.toBe(2_500_000n);
  });

  it('is refused with a code of the catalogue, and nothing is written', async () => {
    const movements = await open().start();
    const cases = [
      [{ asset: 'tempo/brlv', amount: '0.0000001' }, 'amount-scale-exceeded'],
      [{ amount: '0' }, 'amount-below-minimum'],
      [{ amount: '-1' }, 'invalid-format'],
      [{ to: '0x12' }, 'invalid-address'],
      [{ to: `0x${'0'.repeat(40)}` }, 'invalid-address'],
      [{ asset: 'eth-base/wbrly' }, 'asset-not-supported'],
      [{ asset: 'eth-base/usdc' }, 'asset-not-supported'],
      [{ asset: 'fiat/brl' }, 'asset-not-supported'],
    ] as const;
    for (const [change, code] of cases) await expect(movements.mint('bad', change)).rejects.toMatchObject({ code });
    expect(movements.events()).toEqual([]);
  });

  it('is made once however often it is requested, and never with different terms', async () => {
    const movements = await open().start();
    await Promise.all(Array.from({ length: 50 }, () => movements.mint('same')));
    await movements.ended('same');
    // The recorded intent does not change.
    await movements.mint('same', { amount: '3' });
    expect(movements.ofType('TransactionIntended')).toHaveLength(1);
    expect(movements.nonces()).toEqual([0]);
    await expect(movements.balance()).resolves.toBe(AMOUNT);
  });

  it('shares its key with others without gaps or repeats of nonces, and each mint is made once', async () => {
    const movements = await open().start();
    const names = Array.from({ length: 150 }, (_, at) => `many ${at}`);
    await Promise.all(names.map((name) => movements.mint(name)));
    for (const name of names) await expect(movements.ended(name)).resolves.toMatchObject({ state: 'completed' });
    const nonces = movements.ofType('TransactionSigned').map(({ data }) => (data as { nonce: number }).nonce);
    expect(nonces.sort((a, b) => a - b)).toEqual(names.map((_, at) => at));
    await expect(movements.balance()).resolves.toBe(150n * AMOUNT);
  });
});
