import type { Refusal } from '@ponte/kernel';
import { CLEAN_ADDRESS } from '../testing/fund-tokens';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';
import { ASSET, FUNDS, tokenWithdrawalsOf, violationsOf } from '../testing/token-withdrawals';

const ledger = ledgerForEachTest({ booksBalance: true });
const { available, fund, withdraw } = tokenWithdrawalsOf(ledger);

beforeEach(async () => {
  await fund();
  ledger.maxTokens = '50';
});

describe('A token withdrawal of more than one transaction may move', () => {
  it('is refused, even when it is repeated under its key, and reserves nothing', async () => {
    const scope = { withdrawalId: ledger.freshId(), keyHash: 'k', bodyHash: 'b', externalId: 'payout-1' };
    for (let attempt = 0; attempt < 2; attempt += 1)
      expect(await violationsOf(withdraw('50.000000000000000001', scope))).toEqual(['amount-above-maximum amount']);
    expect([await ledger.types('withdrawal-'), await ledger.withdrawal(scope.withdrawalId)]).toEqual([[], null]);
    expect(await ledger.types('dailyAllowance-')).toEqual([]);
    expect(await ledger.balance(ASSET)).toEqual({ running: FUNDS, available: FUNDS, held: '0.000000000000000000' });
    // The external id is free for the next withdrawal.
    expect(await withdraw('50', { externalId: 'payout-1' })).toMatchObject({ state: 'created' });
  });

  it('is refused with the other violations', async () => {
    ledger.refusedDestinations.set(CLEAN_ADDRESS, 'invalid-address');
    expect(await violationsOf(withdraw('101'))).toEqual([
      'amount-above-maximum amount',
      'invalid-address destination-wallet-address',
      'insufficient-balance amount',
    ]);
  });
});

describe('A token withdrawal of exactly what one transaction may move', () => {
  it('is accepted, and keeps its answer if the maximum is lowered afterwards', async () => {
    const scope = { withdrawalId: ledger.freshId(), keyHash: 'k', bodyHash: 'b' };
    const first = await withdraw('50', scope);
    expect(first).toMatchObject({ state: 'created', amount: '50.000000000000000000' });
    ledger.maxTokens = '1';
    expect(await withdraw('50', scope)).toEqual(first);
  });
});

describe('A token withdrawal whose tokens earlier requests will take from the wallets', () => {
  beforeEach(() => ledger.refusedDestinations.set(CLEAN_ADDRESS, 'insufficient-balance'));

  it('is refused, and reserves nothing, until they have ended', async () => {
    const scope = { withdrawalId: ledger.freshId(), keyHash: 'k', bodyHash: 'b' };
    expect(await violationsOf(withdraw('50', scope))).toEqual(['insufficient-balance amount']);
    expect([await ledger.types('withdrawal-'), await available()]).toEqual([[], FUNDS]);
    ledger.refusedDestinations.clear();
    expect(await withdraw('50', scope)).toMatchObject({ state: 'created' });
  });

  it('is refused once, because of the balance of the account, if that is too low as well', async () => {
    ledger.maxTokens = null;
    const refused = withdraw('101').catch(({ violations }: Refusal) => violations);
    expect(await refused).toMatchObject([
      { code: 'insufficient-balance', path: 'amount', message: expect.stringContaining('balance') as string },
    ]);
  });
});
