import 'reflect-metadata';
import { derivedId } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { signed } from '../chain/adapters/chain-under-test.testing';
import { referenceOf } from '../token-movement/chain-values.domain';
import type { Hex } from '../chain/chain.port';
import { movementsForEachTest } from '../testing/movements-for-each-test';
import { TO, signer } from '../testing/movements-under-test';

const { open } = movementsForEachTest();
const AMOUNT = 25n * 10n ** 17n;

describe('a chain that misbehaves', () => {
  it.each([
    [{ kind: 'drop' }],
    [{ kind: 'unknown', arrived: true }],
    [{ kind: 'unknown', arrived: false }],
    [{ kind: 'refuse', reason: 'fee-too-low' }],
    [{ kind: 'refuse', reason: 'insufficient-gas-money' }],
  ] as const)('gets the same bytes again after %j, and the mint ends once', async (fault) => {
    const movements = await open().start();
    movements.base.script(fault);
    await Promise.all([movements.mint('struck'), movements.mint('bystander')]);
    await expect(movements.ended('struck')).resolves.toMatchObject({ state: 'completed' });
    await expect(movements.ended('bystander')).resolves.toMatchObject({ state: 'completed' });
    expect(movements.ofType('TransactionSigned')).toHaveLength(2);
    await expect(movements.balance()).resolves.toBe(2n * AMOUNT);
  });

  it('reverts a mint: it fails, nothing is minted, and the next one completes', async () => {
    const movements = await open().start();
    movements.base.script({ kind: 'revert' });
    await movements.mint('reverted');
    await expect(movements.ended('reverted')).resolves.toMatchObject({ state: 'failed' });
    expect(movements.ofType('TransactionReverted')[0]?.data).toMatchObject({
      purpose: { orderId: derivedId('order', 'reverted'), accountId: 'account' },
    });
    await movements.mint('next');
    await expect(movements.ended('next')).resolves.toMatchObject({ state: 'completed' });
    await expect(movements.balance()).resolves.toBe(AMOUNT);
  });

  it('has used the reference in another transaction: ours reverts, but the tokens exist, so the mint is confirmed', async () => {
    const movements = await open().start();
    await movements.diesAfter('TransactionSigned', 'taken');
    const reference = referenceOf(derivedId('mint', 'taken'));
    const other = await signed(
      movements.base,
      signer,
      'another key',
      movements.base.mintCall({ reference, asset: 'eth-base/brlv', to: TO, units: AMOUNT }),
    );
    await movements.base.broadcast(other.raw);
    await movements.start();
    await expect(movements.ended('taken')).resolves.toMatchObject({ state: 'completed', txHash: other.hash });
    const [ours] = movements.ofType('TransactionSigned');
    await expect(movements.base.transaction((ours?.data as { txHash: Hex }).txHash)).resolves.toMatchObject({
      revertReason: 'ReferenceAlreadyMinted',
    });
    await expect(movements.balance()).resolves.toBe(AMOUNT);
  });

  it.each(['repooled', 'forgotten'] as const)(
    'removes blocks (%s): the mint is pending again, and is confirmed once',
    async (transactions) => {
      const movements = await open({ instant: false, confirmations: 3 }).start();
      await movements.mint('reorg');
      await movements.broadcast('reorg');
      movements.base.mine(2);
      movements.base.reorg(2, transactions);
      movements.base.mine(1);
      expect(movements.ofType('TransactionConfirmed')).toEqual([]);
      const { txHash } = await eventually(async () => {
        movements.base.mine();
        const mint = await movements.mintOf('reorg');
        if (mint.state !== 'completed') throw new Error('not yet');
        return mint;
      });
      await expect(movements.base.transaction(txHash as Hex)).resolves.toMatchObject({ succeeded: true });
      await expect(movements.balance()).resolves.toBe(AMOUNT);
      expect(movements.ofType('TransactionSigned')).toHaveLength(1);
    },
  );

  it('completes a mint only after its confirmations (12 on eth-base)', async () => {
    const movements = await open({ instant: false, confirmations: 12 }).start();
    await movements.mint('patient');
    await movements.broadcast('patient');
    movements.base.mine(11);
    await expect(movements.mintOf('patient')).resolves.toMatchObject({ state: 'pending' });
    movements.base.mine(1);
    await expect(movements.ended('patient')).resolves.toMatchObject({ state: 'completed' });
  });

  it('does not answer: the commands are kept and executed when it answers again', async () => {
    const movements = await open().start();
    movements.base.setReachable(false);
    const names = Array.from({ length: 70 }, (_, at) => `dark ${at}`);
    await Promise.all(names.map((name) => movements.mint(name)));
    await eventually(() => expect(movements.ofType('TransactionIntended')).toHaveLength(names.length));
    movements.base.setReachable(true);
    for (const name of names) await expect(movements.ended(name)).resolves.toMatchObject({ state: 'completed' });
    await expect(movements.balance()).resolves.toBe(BigInt(names.length) * AMOUNT);
  });

  it('has mined another transaction with the nonce: the mint is given up only at finality, and the next one completes', async () => {
    const movements = await open({ instant: false, confirmations: 2 }).start();
    await movements.diesAfter('TransactionSigned', 'robbed');
    const call = movements.base.transferCall({ asset: 'eth-base/usdc', to: TO, units: 0n });
    await movements.base.broadcast((await signed(movements.base, signer, 'operator', call, 0)).raw);
    movements.base.mine();
    await movements.start();
    await movements.mint('next');
    await movements.broadcast('next');
    expect(movements.ofType('TransactionSuperseded')).toEqual([]);
    movements.base.mine(2);
    await expect(movements.ended('robbed')).resolves.toMatchObject({ state: 'failed' });
    await expect(movements.ended('next')).resolves.toMatchObject({ state: 'completed' });
    expect(movements.ofType('TransactionSuperseded')).toHaveLength(1);
    await expect(movements.balance()).resolves.toBe(AMOUNT);
  });
});
