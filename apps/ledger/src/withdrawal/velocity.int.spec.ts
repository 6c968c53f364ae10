import { Refusal } from '@ponte/kernel';
import { MemoryEventStore, eventually, temporaryFolder } from '@ponte/testing';
import { LedgerModule } from '../ledger.module';
import { LedgerUnderTest, STRANGER_CPF } from '../testing/ledger-under-test';

let place: ReturnType<typeof temporaryFolder>;
let ledger: LedgerUnderTest<MemoryEventStore>;
beforeEach(async () => {
  process.env['LEDGER_WITHDRAWAL_LIMITS'] = 'fiat/brl=100.00/3';
  place = temporaryFolder();
  ledger = new LedgerUnderTest({
    module: LedgerModule,
    folder: place.path,
    open: (before) => new MemoryEventStore({ log: before?.log }),
  });
  await ledger.boot();
  await ledger.fund('1000.00');
});
afterEach(async () => {
  delete process.env['LEDGER_WITHDRAWAL_LIMITS'];
  await ledger.stop();
  place.remove();
});

const withdraw = (amount: string) => ledger.withdraw(amount, { pixKey: STRANGER_CPF });
const code = (asked: Promise<unknown>) =>
  asked.then(
    () => 'created',
    (error: unknown) => (error instanceof Refusal ? error.code : Promise.reject(error as Error)),
  );

describe('the velocity limit of an account', () => {
  it('is per day in São Paulo, by amount', async () => {
    expect(await code(withdraw('60.00'))).toBe('created');
    expect(await code(withdraw('40.01'))).toBe('limit-exceeded');
    expect(await code(withdraw('40.00'))).toBe('created');
    expect(await code(withdraw('0.01'))).toBe('limit-exceeded');
    // 23:59 and 00:01 in São Paulo.
    ledger.now = Date.parse('2026-11-21T02:59:00.000Z');
    expect(await code(withdraw('1.00'))).toBe('limit-exceeded');
    ledger.now = Date.parse('2026-11-21T03:01:00.000Z');
    expect(await code(withdraw('100.00'))).toBe('created');
  });

  it('is by number too, and leaves nothing held when it refuses', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => code(withdraw('1.00'))));
    expect(all.filter((one) => one === 'created')).toHaveLength(3);
    expect(all.filter((one) => one === 'limit-exceeded')).toHaveLength(5);
    await eventually(async () => {
      await ledger.tick();
      expect((await ledger.balance()).held).toBe('0.00');
    });
  });

  it('does not count what was rolled back', async () => {
    expect(await code(withdraw('99.95'))).toBe('created');
    await eventually(async () => {
      await ledger.tick();
      expect(await ledger.types('dailyAllowance-')).toEqual(['AllowanceTaken', 'AllowanceReturned']);
    });
    expect(await code(withdraw('100.00'))).toBe('created');
  });
});
