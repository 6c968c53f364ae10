import 'reflect-metadata';
import { eventually } from '@ponte/testing';
import { movementsForEachTest } from '../testing/movements-for-each-test';
import { TwoWallets } from '../testing/two-wallets';
import { ChainTransactions } from '../transactions/chain-transactions.service';

const { open } = movementsForEachTest();

let account: TwoWallets;
beforeEach(async () => {
  // The chain mines only on request.
  account = await TwoWallets.of(await open({ instant: false, confirmations: 3 }).start());
});
afterEach(() => jest.restoreAllMocks());
const payer: TwoWallets['payer'] = (...parameters) => account.payer(...parameters);

/** Observes how the streams of transactions are read. */
class ObservedReads {
  count = 0;
  readonly ids = new Set<string>();
  maxAtOnce = 0;
  private open = 0;

  get isIdle(): boolean {
    return this.open === 0;
  }

  constructor() {
    const { load } = ChainTransactions.prototype;
    const observed = (reads: ObservedReads) =>
      async function (this: ChainTransactions, ...parameters: Parameters<typeof load>) {
        reads.count += 1;
        reads.ids.add(parameters[0]);
        reads.open += 1;
        reads.maxAtOnce = Math.max(reads.maxAtOnce, reads.open);
        return load.apply(this, parameters).finally(() => (reads.open -= 1));
      };
    jest.spyOn(ChainTransactions.prototype, 'load').mockImplementation(observed(this));
  }
}

describe('The transactions of open holds', () => {
  it('are read one by one for withdrawals and transfers, and only a few at once', async () => {
    for (let count = 0; count < 50; count += 1) account.withdraw(`payout ${count}`, 0);
    for (let count = 0; count < 50; count += 1) account.promise(`transfer ${count}`, 0, account.main, 'transfer');
    const reads = new ObservedReads();
    expect(await payer(3, account.main)).toEqual(['main', [3, 0]]);
    expect(reads.count).toBe(100);
    expect(reads.maxAtOnce).toBeLessThanOrEqual(16);
  });

  it('are not read further once the chain has failed', async () => {
    for (let count = 0; count < 2; count += 1) {
      account.promise(`sent ${count}`, 1);
      await account.settle(`sent ${count}`, 1);
      await account.reaches(`sent ${count}`, 'pending');
    }
    for (let count = 0; count < 100; count += 1) account.withdraw(`payout ${count}`, 0);
    jest.spyOn(account.movements.base, 'minedCount').mockRejectedValue(new Error('no answer'));
    const reads = new ObservedReads();
    expect(await payer(3, account.main)).toEqual(['main', undefined]);
    await eventually(async () => expect(reads.isIdle).toBe(true));
    expect(reads.ids.size).toBeLessThan(100);
  });
});
