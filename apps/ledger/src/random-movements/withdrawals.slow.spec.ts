import { hash } from 'node:crypto';
import { isoTime } from '@ponte/kernel';
import { MemoryEventStore, eventually, temporaryFolder } from '@ponte/testing';
import { LedgerModule } from '../ledger.module';
import { LedgerUnderTest } from '../testing/ledger-under-test';
import { paymentIdOf } from '../withdrawal/withdrawal.state';

const WITHDRAWALS = 2_000;
const AT_ONCE = 50;
/** A number from 0 to 99, evenly distributed and the same at every run. */
const shareOf = (text: string): number => Number.parseInt(hash('sha256', text, 'hex').slice(0, 8), 16) % 100;

let place: ReturnType<typeof temporaryFolder>;
let ledger: LedgerUnderTest<MemoryEventStore>;
beforeAll(async () => {
  place = temporaryFolder();
  ledger = new LedgerUnderTest({
    module: LedgerModule,
    folder: place.path,
    open: (before) => new MemoryEventStore({ log: before?.log }),
  });
  await ledger.boot();
});
afterAll(async () => {
  await ledger.stop();
  place.remove();
});

// Some requests time out, half of them after being paid. None may be paid twice or lost.
describe(`${WITHDRAWALS} withdrawals at a bank that times out on 30 % of the requests, after paying half of those`, () => {
  it('are each paid exactly once or rolled back, and the books of both sides agree', async () => {
    await ledger.fund('100000.00');
    ledger.payouts.fateOf = ({ paymentId }) => {
      const share = shareOf(paymentId);
      if (share < 15) return 'unheard';
      if (share < 30) return 'paid-unanswered';
      if (share < 35) return 'late';
      if (share < 40) return 'repeated';
      return share < 45 ? 'refused-late' : 'prompt';
    };
    let reads = 0;
    ledger.payouts.readTimesOut = (paymentId) => shareOf(`${paymentId} ${(reads += 1)}`) < 15;
    const ids: string[] = [];
    for (let at = 0; at < WITHDRAWALS; at += AT_ONCE) {
      const keys = Array.from({ length: AT_ONCE }, (_, index) => `payee-${at + index}@example.com`);
      ids.push(...(await Promise.all(keys.map((pixKey) => ledger.withdraw('10.00', { pixKey })))).map(({ id }) => id));
    }
    const states = new Map<string, string>();
    await eventually(async () => {
      await ledger.tick();
      for (const id of ids)
        if (!states.has(id) || states.get(id) === 'processing')
          states.set(id, (await ledger.withdrawal(id))?.state ?? 'absent');
      const open = [...states.values()].filter((state) => state !== 'completed' && state !== 'rolled-back').length;
      if (open > 0) throw new Error(`${open} are open at ${isoTime(ledger.now)}`);
    }, 300_000);
    const paid = ledger.payouts.totals().completed;
    const completed = ids.filter((id) => states.get(id) === 'completed').map(paymentIdOf);
    expect(new Set(paid).size).toBe(paid.length);
    expect([...paid].sort()).toEqual([...completed].sort());
    expect(completed.length).toBeGreaterThan(WITHDRAWALS * 0.9);
    const expected = (100_000 - completed.length * 10).toFixed(2);
    expect(await ledger.balance()).toEqual({ running: expected, available: expected, held: '0.00' });
    await eventually(() => ledger.assertTrialBalance());
  }, 600_000);
});
