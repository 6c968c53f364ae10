import { Unavailable } from '@ponte/kernel';
import { CLEAN_ADDRESS } from '../testing/fund-tokens';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';
import { FUNDS, tokenWithdrawalsOf, violationsOf } from '../testing/token-withdrawals';

const ledger = ledgerForEachTest({ booksBalance: true });
const { available, fund, withdraw } = tokenWithdrawalsOf(ledger);

beforeEach(async () => {
  await fund();
  ledger.minTokens = '60';
});

describe('A token withdrawal below the minimum amount', () => {
  it('is refused and reserves nothing, but may take the whole available balance', async () => {
    expect(await violationsOf(withdraw('59.999999999999999999'))).toEqual(['amount-below-minimum amount']);
    expect([await ledger.types('withdrawal-'), await ledger.types('dailyAllowance-')]).toEqual([[], []]);
    expect(await available()).toBe(FUNDS);
    expect(await withdraw('60')).toMatchObject({ state: 'created' });
    // What an open withdrawal holds is not available.
    expect(await violationsOf(withdraw('39'))).toEqual(['amount-below-minimum amount']);
    expect(await withdraw('40')).toMatchObject({ state: 'created' });
  });

  it('is accepted when the request for the whole balance is repeated after its funds were held', async () => {
    await withdraw('60');
    const scope = { withdrawalId: ledger.freshId(), keyHash: 'k', bodyHash: 'b' };
    ledger.store.faults.next({ kind: 'refuse', match: (_, events) => events[0]?.type === 'WithdrawalCreated' });
    await expect(withdraw('40', scope)).rejects.toBeInstanceOf(Unavailable);
    expect(await available()).toBe('0.000000000000000000');
    expect(await withdraw('40', scope)).toMatchObject({ state: 'created' });
  });

  it('keeps its answer if the minimum is raised afterwards', async () => {
    const scope = { withdrawalId: ledger.freshId(), keyHash: 'k', bodyHash: 'b' };
    const first = await withdraw('60', scope);
    ledger.minTokens = '90';
    expect(await withdraw('60', scope)).toEqual(first);
  });

  it('is refused with the other violations', async () => {
    ledger.refusedDestinations.set(CLEAN_ADDRESS, 'invalid-address');
    expect(await violationsOf(withdraw('1'))).toEqual([
      'amount-below-minimum amount',
      'invalid-address destination-wallet-address',
    ]);
  });
});
