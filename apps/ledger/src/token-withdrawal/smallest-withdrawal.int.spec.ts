import type { AssetId } from '@ponte/kernel';
import { Refusal, Unavailable } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { CLEAN_ADDRESS, fundTokens } from '../testing/fund-tokens';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';

const ledger = ledgerForEachTest({ booksBalance: true });
const asset: AssetId = 'eth-base/brlv';
const FUNDS = '100.000000000000000000';

beforeEach(async () => {
  await fundTokens(ledger);
  await eventually(async () => expect((await ledger.balance(asset)).available).toBe(FUNDS));
  ledger.leastTokens = '60';
});

const withdraw = (amount: string, more: object = {}) =>
  ledger.withdraw(amount, { destinationWalletAddress: CLEAN_ADDRESS }, { asset, method: 'token', ...more });
const violationsOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => [],
    (error: unknown) => {
      if (error instanceof Refusal) return error.violations.map(({ code, path }) => `${code} ${path}`);
      throw error;
    },
  );

describe('A token withdrawal below the minimum amount', () => {
  it('is refused and reserves nothing, but may take the whole available balance', async () => {
    expect(await violationsOf(withdraw('59.999999999999999999'))).toEqual(['amount-below-minimum amount']);
    expect([await ledger.types('withdrawal-'), await ledger.types('dailyAllowance-')]).toEqual([[], []]);
    expect((await ledger.balance(asset)).available).toBe(FUNDS);
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
    expect((await ledger.balance(asset)).available).toBe('0.000000000000000000');
    expect(await withdraw('40', scope)).toMatchObject({ state: 'created' });
  });

  it('keeps its answer if the minimum is raised afterwards', async () => {
    const scope = { withdrawalId: ledger.freshId(), keyHash: 'k', bodyHash: 'b' };
    const first = await withdraw('60', scope);
    ledger.leastTokens = '90';
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
