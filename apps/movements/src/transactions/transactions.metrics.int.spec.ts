import 'reflect-metadata';
import { eventually, temporaryFolder } from '@ponte/testing';
import type { Kysely } from 'kysely';
import { operatorKeyIds } from '../movements-settings.port';
import { movementsForEachTest } from '../testing/movements-for-each-test';
import { gasLimitsOn, typicalGasOn } from '../chain/gas-limits.domain';
import { MovementsUnderTest } from '../testing/movements-under-test';

const { open } = movementsForEachTest();
const GWEI = 10n ** 9n;
let folder: ReturnType<typeof temporaryFolder>;
let movements: MovementsUnderTest;

beforeEach(async () => {
  folder = temporaryFolder();
  movements = await new MovementsUnderTest(folder.path).start();
});
afterEach(async () => {
  await movements.stop();
  folder.remove();
});

const readings = async () => {
  const [operator = ''] = operatorKeyIds(1);
  const labels = { chain: 'eth-base', operator };
  return [
    await movements.gauge('ponte_operator_gas_coins', labels),
    await movements.gauge('ponte_operator_movements_left', labels),
  ];
};

describe('The gas of an operator key', () => {
  it('is reported in coins, and as the number of movements that it pays for at the fee that it offers', async () => {
    const fees = await movements.base.feeQuote();
    const [limit, typical] = [gasLimitsOn('eth-base').send(1), typicalGasOn('eth-base')];
    const gas = limit + 9_999n * typical;
    jest.spyOn(movements.base, 'gasBalance').mockResolvedValue(gas * GWEI);
    const feeQuote = jest.spyOn(movements.base, 'feeQuote').mockResolvedValue({ ...fees, maxFeePerGas: GWEI });
    const coins = Number(gas) / 1e9;
    expect(await readings()).toEqual([coins, 10_000]);
    feeQuote.mockResolvedValue({ ...fees, maxFeePerGas: 100n * GWEI });
    expect(await readings()).toEqual([coins, 1 + Number((gas - 100n * limit) / (100n * typical))]);
  });

  it('pays for no movement without the coins for a whole gas limit, because nodes demand them', async () => {
    const fees = await movements.base.feeQuote();
    const limit = gasLimitsOn('eth-base').send(1) * GWEI;
    const balance = jest.spyOn(movements.base, 'gasBalance').mockResolvedValue(limit - 1n);
    jest.spyOn(movements.base, 'feeQuote').mockResolvedValue({ ...fees, maxFeePerGas: GWEI });
    expect((await readings())[1]).toBe(0);
    balance.mockResolvedValue(limit);
    expect((await readings())[1]).toBe(1);
  });

  it('pays for as many movements while blocks cost more than a transaction may offer', async () => {
    const fees = await movements.base.feeQuote();
    jest.spyOn(movements.base, 'gasBalance').mockResolvedValue(10n ** 18n);
    const feeQuote = jest.spyOn(movements.base, 'feeQuote');
    const left = async (gwei: bigint) => {
      feeQuote.mockResolvedValue({ ...fees, maxFeePerGas: gwei * GWEI });
      return (await readings())[1];
    };
    expect(await left(1_000n)).toBeGreaterThan(0);
    expect(await left(10_000n)).toBe(await left(1_000n));
  });

  it('is not reported while the node does not answer', async () => {
    jest.spyOn(movements.base, 'gasBalance').mockRejectedValue(new Error('the node does not answer'));
    expect(await readings()).toEqual([undefined, undefined]);
  });
});

describe('The age of the oldest unfinished transaction', () => {
  it('counts from the signature, however often the fees are raised', async () => {
    const waiting = await open({ instant: false, raiseFeeMs: 200 }).start();
    waiting.base.script(...Array.from({ length: 50 }, () => ({ kind: 'delay' as const, blocks: 20_000 })));
    await waiting.mint('stuck');
    await waiting.broadcast('stuck');
    await eventually(() => {
      waiting.base.mine();
      expect(waiting.ofType('TransactionFeeRaised').length).toBeGreaterThan(1);
    });
    const signedAt = Date.parse(waiting.ofType('TransactionSigned')[0]?.meta.occurredAt ?? '');
    const age = (Date.now() - signedAt) / 1000;
    const reported = await waiting.gauge('ponte_chain_oldest_pending_seconds', { chain: 'eth-base' });
    expect(reported).toBeGreaterThanOrEqual(age);
  });

  it('counts the transactions that are unfinished, even if their waiting time was not recorded or not removed', async () => {
    const waiting = await open({ instant: false }).start();
    const gauge = (name: 'pending_transactions' | 'oldest_pending_seconds') =>
      waiting.gauge(`ponte_chain_${name}`, { chain: 'eth-base' });
    await waiting.mint('stuck');
    await waiting.broadcast('stuck');
    await eventually(async () => expect(await gauge('pending_transactions')).toBe(1));
    const readModels = waiting.readModels as Kysely<{
      waiting_transactions: { id: string; chain: string; since: string };
    }>;
    await readModels.deleteFrom('waiting_transactions').execute();
    const ended = { id: 'ended', chain: 'eth-base', since: '2020-01-01T00:00:00.000Z' };
    await readModels.insertInto('waiting_transactions').values(ended).execute();
    expect(await gauge('pending_transactions')).toBe(1);
    expect(await gauge('oldest_pending_seconds')).toBeGreaterThan(0);
    expect(await gauge('oldest_pending_seconds')).toBeLessThan(24 * 60 * 60);
  });
});

describe('The age of the oldest confirmed transaction that is not final', () => {
  it('counts from its confirmation, and ends when it is final', async () => {
    const unfinal = await open({ instant: false, confirmations: 2, finality: 10 }).start();
    const gauge = () => unfinal.gauge('ponte_chain_oldest_unfinal_seconds', { chain: 'eth-base' });
    expect(await gauge()).toBe(0);
    await unfinal.mint('one');
    await unfinal.broadcast('one');
    unfinal.base.mine(2);
    await unfinal.ended('one');
    const confirmedAt = Date.parse(unfinal.ofType('TransactionConfirmed')[0]?.meta.occurredAt ?? '');
    await eventually(async () => {
      const age = (Date.now() - confirmedAt) / 1000;
      expect(await gauge()).toBeGreaterThanOrEqual(age);
    });
    unfinal.base.mine(10);
    await eventually(async () => expect(await gauge()).toBe(0));
  });
});
