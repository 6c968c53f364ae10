import { Refusal } from '@ponte/kernel';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';
import { ACCOUNT, STRANGER_CPF } from '../testing/ledger-under-test';
import { SimulatedKeyDirectory } from './simulated.key-directory.adapter';

const ledger = ledgerForEachTest();
let lookUp: jest.SpyInstance;
beforeEach(async () => {
  await ledger.fund('1000.00');
  lookUp = jest.spyOn(SimulatedKeyDirectory.prototype, 'lookUp');
});
afterEach(() => lookUp.mockRestore());

const refusal = (response: Promise<unknown>) =>
  response.then(
    () => 'accepted',
    (error: unknown) => (error instanceof Refusal ? error.violations.map(({ code }) => code) : error),
  );

describe('A withdrawal to a Pix key', () => {
  it.each([
    ['the balance does not cover it', '1000.01', 'active', 'insufficient-balance'],
    ['its amount has too many decimals', '1.001', 'active', 'amount-scale-exceeded'],
    ['its account is frozen', '1.00', 'frozen', 'account-not-active'],
  ] as const)(
    'does not ask the key directory, and tells nothing about the key, if %s',
    async (_, amount, status, code) => {
      ledger.status.set(ACCOUNT, status);
      for (const pixKey of [STRANGER_CPF, 'unknown@pix.example', 'silent@pix.example'])
        expect(await refusal(ledger.withdraw(amount, { pixKey }))).toEqual([code]);
      expect(lookUp).not.toHaveBeenCalled();
    },
  );

  it('asks the key directory if nothing else is wrong', async () => {
    expect(await refusal(ledger.withdraw('1.00', { pixKey: 'unknown@pix.example' }))).toEqual(['pix-key-not-found']);
    expect(lookUp).toHaveBeenCalledTimes(1);
  });
});
