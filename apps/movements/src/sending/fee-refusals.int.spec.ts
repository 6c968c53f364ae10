import 'reflect-metadata';
import type { TransactionSigned } from '@ponte/contracts';
import { eventually } from '@ponte/testing';
import { parseTransaction } from 'viem';
import type { SimulatedChain } from '../chain/adapters/simulated/simulated.chain.adapter';
import { movementsForEachTest } from '../testing/movements-for-each-test';

const { open } = movementsForEachTest();

const GWEI = 10n ** 9n;
const COIN = 10n ** 18n;

/** The node refuses transactions that offer more than that for their whole gas limit, as geth does from 1 coin on. */
const capFees = (evm: SimulatedChain, cap: bigint): void => {
  const broadcast = evm.broadcast.bind(evm);
  jest.spyOn(evm, 'broadcast').mockImplementation(async (raw) => {
    const { gas = 0n, maxFeePerGas = 0n } = parseTransaction(raw);
    if (gas * maxFeePerGas <= cap) return broadcast(raw);
    return { outcome: 'refused', reason: 'invalid', message: 'tx fee exceeds the configured cap' };
  });
};
const quote = (evm: SimulatedChain, gwei: bigint): void =>
  void jest.spyOn(evm, 'feeQuote').mockResolvedValue({ maxFeePerGas: gwei * GWEI, maxPriorityFeePerGas: GWEI });

afterEach(() => jest.restoreAllMocks());

it('no transaction offers so much for its gas limit that nodes refuse it', async () => {
  const movements = await open().start();
  const tempo = movements.chains.get('tempo') as SimulatedChain;
  capFees(tempo, COIN);
  quote(tempo, 5_000n);
  await movements.mint('dear', { asset: 'tempo/brlv' });
  await expect(movements.ended('dear')).resolves.toMatchObject({ state: 'completed' });
  const { maxFeePerGas } = movements.ofType('TransactionSigned')[0]?.data as TransactionSigned['data'];
  expect(BigInt(maxFeePerGas)).toBeGreaterThan(600n * GWEI);
});

it('earlier bytes of a transaction are sent again while nodes refuse its newest ones as invalid', async () => {
  const movements = await open({ instant: false }).start();
  movements.base.script({ kind: 'drop' });
  quote(movements.base, 1n);
  await movements.mint('refused');
  await eventually(() => expect(movements.ofType('TransactionSigned')).toHaveLength(1));
  const first = movements.ofType('TransactionSigned')[0]?.data as TransactionSigned['data'];
  const { gas = 0n } = parseTransaction(first.raw as `0x${string}`);
  capFees(movements.base, gas * GWEI);
  await movements.operate('chain raise-fee', { chain: 'eth-base', transaction: first.transactionId });
  await eventually(async () => {
    movements.base.mine();
    expect(await movements.mintOf('refused')).toMatchObject({ state: 'completed' });
  });
  expect(movements.ofType('TransactionConfirmed')[0]?.data).toMatchObject({ txHash: first.txHash });
});
