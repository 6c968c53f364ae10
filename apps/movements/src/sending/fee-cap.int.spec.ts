import 'reflect-metadata';
import type { TransactionSigned } from '@ponte/contracts';
import { eventually, temporaryFolder } from '@ponte/testing';
import { FEE_LIMITS } from '../movements.config';
import { MovementsUnderTest } from '../testing/movements-under-test';

const GWEI = 10n ** 9n;
const { maxFeePerGas: CAP, maxPriorityFeePerGas: TIP_CAP } = FEE_LIMITS['eth-base'];
let folder: ReturnType<typeof temporaryFolder>;
let movements: MovementsUnderTest;

beforeEach(async () => {
  folder = temporaryFolder();
  movements = await new MovementsUnderTest(folder.path, { instant: false }).start();
});
afterEach(async () => {
  await movements.stop();
  folder.remove();
});

const fees = (gwei: bigint, tip = gwei): void =>
  void jest
    .spyOn(movements.base, 'feeQuote')
    .mockResolvedValue({ maxFeePerGas: gwei * GWEI, maxPriorityFeePerGas: tip * GWEI });
const signed = async (name: string) => {
  await movements.mint(name);
  await eventually(() => expect(movements.ofType('TransactionSigned')).toHaveLength(1));
  return movements.ofType('TransactionSigned')[0]?.data as TransactionSigned['data'];
};
const raise = (transaction: string) => movements.operate('chain raise-fee', { chain: 'eth-base', transaction });

describe('a transaction while the fees of blocks exceed the configured cap', () => {
  it('is signed with the cap, waits for a cheaper block, and cannot be raised', async () => {
    fees(5_000n, 4_000n);
    const { transactionId, maxFeePerGas, maxPriorityFeePerGas } = await signed('dear');
    expect([BigInt(maxFeePerGas), BigInt(maxPriorityFeePerGas)]).toEqual([CAP, TIP_CAP]);
    await expect(raise(transactionId)).rejects.toThrow(
      'cannot be raised by an eighth within the highest fee of the chain',
    );
    expect(movements.ofType('TransactionFeeRaised')).toEqual([]);
    await movements.broadcast('dear');
    movements.base.mine();
    await expect(movements.ended('dear')).resolves.toMatchObject({ state: 'completed' });
  });

  it('is raised up to the cap, and no further', async () => {
    fees(80n, 1n);
    const { transactionId } = await signed('raised');
    fees(5_000n, 1n);
    await expect(raise(transactionId)).resolves.toContain('was sent with raised fees');
    const [raised] = movements.ofType('TransactionFeeRaised');
    expect(BigInt((raised?.data as TransactionSigned['data']).maxFeePerGas)).toBe(CAP);
    await expect(raise(transactionId)).rejects.toThrow(
      'cannot be raised by an eighth within the highest fee of the chain',
    );
  });
});
