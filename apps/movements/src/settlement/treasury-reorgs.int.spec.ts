import 'reflect-metadata';
import type { TransactionSigned } from '@ponte/contracts';
import { GetAccountWallets, ProvisionWallets, RequestSettlement } from '@ponte/contracts';
import type { AssetId } from '@ponte/kernel';
import { derivedId } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import type { Hex } from '../chain/chain.port';
import type { Setup } from '../testing/movements-under-test';
import { movementsForEachTest } from '../testing/movements-for-each-test';
import { saltOf, treasuryWalletId } from '../wallet/wallet.decider';

const { open } = movementsForEachTest();
const ACCOUNT = 'account';
const USDC: AssetId = 'eth-base/usdc';

/** The service over a chain that completes payments after three blocks. */
async function started(setup: Pick<Setup, 'liquidityMs'> = {}) {
  const movements = await open({ ...setup, instant: false, confirmations: 3 }).start();
  const { base, bus } = movements;
  await bus.request(ProvisionWallets, { accountId: ACCOUNT, parentId: null }, movements.context());
  const { wallets } = await bus.request(GetAccountWallets, { accountId: ACCOUNT }, movements.context());
  const wallet = wallets.find(({ chain }) => chain === 'eth-base')?.address as Hex;
  const pay = (name: string) =>
    bus.request(
      RequestSettlement,
      {
        ...{ settlementId: derivedId('settlement', name), orderId: derivedId('order', name), accountId: ACCOUNT },
        ...{ kind: 'treasury-payment', asset: USDC, amount: '2.000000', wallet, brlAmount: '10.70' },
      },
      movements.context(),
    );
  const fill = (units: bigint) => {
    base.fund(USDC, base.walletAddress(saltOf(treasuryWalletId('eth-base'))), units);
    base.mine();
  };
  const waiting = () => movements.gauge('ponte_treasury_waiting_payments', { chain: 'eth-base', asset: USDC });
  /** Waits until the node has the bytes that were signed last. */
  const isPooled = () =>
    eventually(async () => {
      const [signed] = movements.ofType('TransactionSigned').slice(-1);
      const { txHash } = (signed?.data ?? { txHash: '0x' }) as TransactionSigned['data'];
      expect(await base.transaction(txHash as Hex)).toMatchObject({ status: 'pooled' });
    });
  const received = () => base.tokenBalance(USDC, wallet);
  return { movements, pay, fill, waiting, isPooled, received };
}

it('a payment is not made from tokens that a reorg returned for a payment that was not confirmed yet', async () => {
  const { movements, pay, fill, waiting, isPooled, received } = await started();
  fill(3_000_000n);
  await pay('one');
  await isPooled();
  movements.base.mine();
  expect(await received()).toBe(2_000_000n);
  await pay('two');
  await eventually(async () => expect(await waiting()).toBe(1));
  movements.base.reorg(1, 'repooled');
  await movements.rounds.pass();
  expect(movements.ofType('TransactionFunded')).toHaveLength(1);
  movements.base.mine(3);
  fill(1_000_000n);
  await eventually(() => expect(movements.ofType('TransactionFunded')).toHaveLength(2));
  await isPooled();
  movements.base.mine(3);
  await eventually(() => expect(movements.ofType('TransactionConfirmed')).toHaveLength(2));
  expect(await received()).toBe(4_000_000n);
});

it('a payment is made at once from all that an earlier one left, though that is not confirmed, and a reorg takes neither', async () => {
  const { movements, pay, fill, waiting, isPooled, received } = await started();
  fill(4_000_000n);
  await pay('one');
  await isPooled();
  movements.base.mine();
  expect(await received()).toBe(2_000_000n);
  await pay('two');
  await eventually(() => expect(movements.ofType('TransactionSigned')).toHaveLength(2));
  await isPooled();
  expect(await waiting()).toBe(0);
  expect(movements.ofType('TransactionConfirmed')).toEqual([]);
  movements.base.reorg(1, 'repooled');
  movements.base.mine(3);
  await eventually(() => expect(movements.ofType('TransactionConfirmed')).toHaveLength(2));
  expect(await received()).toBe(4_000_000n);
});

it('a payment that waited for the node longer than for a treasury is made while an earlier one is not confirmed', async () => {
  const { movements, pay, fill, isPooled } = await started({ liquidityMs: 1 });
  fill(4_000_000n);
  await pay('one');
  await isPooled();
  movements.base.mine();
  const balance = jest.spyOn(movements.base, 'tokensAt').mockRejectedValue(new Error('no answer'));
  await pay('two');
  await eventually(() => expect(movements.ofType('TransactionIntended')).toHaveLength(2));
  await movements.rounds.pass();
  balance.mockRestore();
  await eventually(() => expect(movements.ofType('TransactionSigned')).toHaveLength(2));
  expect(movements.ofType('TransactionGivenUp')).toEqual([]);
});

it('a payment is not made from a balance that a reorg raised after the mined payments were counted', async () => {
  const { movements, pay, fill, waiting, isPooled, received } = await started();
  const { base } = movements;
  fill(3_000_000n);
  await pay('one');
  await isPooled();
  base.mine();
  const read = base.tokensAt.bind(base);
  jest.spyOn(base, 'tokensAt').mockImplementationOnce((...question) => {
    base.reorg(1, 'repooled');
    return read(...question);
  });
  await pay('two');
  await eventually(async () => expect(await waiting()).toBe(1));
  expect(await received()).toBe(0n);
  expect(movements.ofType('TransactionFunded')).toHaveLength(1);
});

it('a payment is not made from the balance of an older block than that in which the mined payments were counted', async () => {
  const { movements, pay, fill, waiting, isPooled, received } = await started();
  const { base } = movements;
  fill(3_000_000n);
  await pay('one');
  await isPooled();
  base.mine();
  // One node behind one URL is a block behind the others.
  jest.spyOn(base, 'tokenBalance').mockResolvedValue(3_000_000n);
  await pay('two');
  await eventually(async () => expect(await waiting()).toBe(1));
  jest.restoreAllMocks();
  expect(await received()).toBe(2_000_000n);
  expect(movements.ofType('TransactionFunded')).toHaveLength(1);
});
