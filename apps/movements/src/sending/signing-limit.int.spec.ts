import 'reflect-metadata';
import type { TransactionFeeRaised, TransactionSigned } from '@ponte/contracts';
import { ProvisionWallets, RequestTokenMovement } from '@ponte/contracts';
import { derivedId } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { movementsForEachTest } from '../testing/movements-for-each-test';

const { open } = movementsForEachTest();
const limitOf = (transaction: string, hour: string) => ({ limits: { 'eth-base/brlv': { transaction, hour } } });

describe('A transaction above the limit of the signer', () => {
  it.each([
    ['for one transaction', limitOf('2', '100')],
    ['for a whole hour', limitOf('100', '2')],
  ])('%s is given up, and a later one is sent', async (_, setup) => {
    const movements = await open(setup).start();
    await movements.mint('much', { amount: '2.5' });
    await eventually(() =>
      expect(movements.ofType('TransactionGivenUp').map(({ data }) => data)).toMatchObject([
        { reason: 'amount-above-maximum', purpose: { id: derivedId('mint', 'much') } },
      ]),
    );
    await movements.mint('less', { amount: '1.5' });
    await movements.ended('less');
    expect(await movements.mintOf('much')).toEqual({ state: 'failed', txHash: null });
  });

  it('is given up although the process ended after it withheld the nonce, and the limit is higher since', async () => {
    const setup = limitOf('2', '100');
    const movements = await open(setup).start();
    await movements.diesAfter('NoncesAllocated', 'much');
    expect(movements.ofType('NoncesAllocated').map(({ data }) => data)).toMatchObject([{ transactionIds: [] }]);
    expect(movements.ofType('TransactionGivenUp')).toEqual([]);
    setup.limits = limitOf('100', '100').limits;
    await movements.start();
    await expect(movements.ended('much')).resolves.toMatchObject({ state: 'failed' });
    expect(movements.ofType('TransactionGivenUp').map(({ data }) => data)).toMatchObject([
      { reason: 'amount-above-maximum', purpose: { id: derivedId('mint', 'much') } },
    ]);
    await movements.mint('less', { amount: '1.5' });
    await expect(movements.ended('less')).resolves.toMatchObject({ state: 'completed' });
    expect(movements.nonces()).toEqual([0]);
  });

  it('waits when only what was signed before exhausts the hour', async () => {
    const movements = await open(limitOf('2', '3')).start();
    for (const name of ['first', 'second']) await movements.mint(name, { amount: '2' });
    await movements.ended('first');
    expect(movements.ofType('TransactionGivenUp')).toEqual([]);
    expect((await movements.mintOf('second')).state).toBe('created');
  });

  it('is given up for a withdrawal, too', async () => {
    const movements = await open(limitOf('2', '100')).start();
    const accountId = derivedId('account', 'one');
    await movements.bus.request(ProvisionWallets, { accountId, parentId: null }, movements.context());
    const id = derivedId('withdrawal', 'one');
    const movement = { movementId: id, owner: { kind: 'withdrawal', id }, accountId, sourceWalletId: null } as const;
    const terms = { asset: 'eth-base/brlv', amount: '2.5', destination: `0x${'cd'.repeat(20)}` } as const;
    await eventually(() => movements.bus.request(RequestTokenMovement, { ...movement, ...terms }, movements.context()));
    await eventually(() =>
      expect(movements.ofType('TransactionGivenUp').map(({ data }) => data)).toMatchObject([
        { reason: 'amount-above-maximum', purpose: { kind: 'token-movement', owner: { kind: 'withdrawal', id } } },
      ]),
    );
    expect(movements.ofType('TransactionSigned')).toEqual([]);
  });
});

describe('A signed transaction above a limit that is lower since', () => {
  it('is replaced with raised fees, because it would keep all later ones of its key from being mined', async () => {
    const setup = { instant: false, ...limitOf('100', '100') };
    const movements = await open(setup).start();
    await movements.mint('stuck', { amount: '2.5' });
    await movements.broadcast('stuck');
    await movements.stop();
    setup.limits = limitOf('1', '1').limits;
    await movements.start();
    const { transactionId } = movements.ofType('TransactionSigned')[0]?.data as TransactionSigned['data'];
    expect(await movements.operate('chain raise-fee', { chain: 'eth-base', transaction: transactionId })).toContain(
      'was sent with raised fees',
    );
    const { txHash } = movements.ofType('TransactionFeeRaised')[0]?.data as TransactionFeeRaised['data'];
    await movements.broadcast('stuck');
    movements.base.mine();
    expect(await movements.ended('stuck')).toEqual({ state: 'completed', txHash });
  });
});
