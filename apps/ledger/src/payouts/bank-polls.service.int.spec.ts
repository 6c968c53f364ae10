import { systemContext } from '@ponte/event-sourcing';
import { compactId, isoTime } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { BANK_READERS } from '../bank-readers';
import { PollReceivedTedsCommand, RECEIVED_TEDS_READER } from '../ted-deposit/poll-received-teds.command';
import type { IncomingTeds } from '../ted-deposit/incoming-teds.port';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';
import { ACCOUNT, HOLDER_CPF } from '../testing/ledger-under-test';
import { measured } from '../testing/measured';
import { BankPolls } from './bank-polls.service';

const ledger = ledgerForEachTest({ booksBalance: true });

const payer = {
  taxId: HOLDER_CPF,
  legalName: 'Ana Secret',
  bankCode: '00000000',
  branchCode: '1584',
  accountNumber: '210169-6',
  accountType: 'checking',
};
const ted = (amount: string) =>
  ledger.teds.pay({ reference: ledger.freshId(), identifier: compactId(ACCOUNT), amount, payer });
const of = (name: Parameters<typeof measured>[1]) => measured(ledger, name, RECEIVED_TEDS_READER);
const checkpoint = () => ledger.engines.checkpoints.load(RECEIVED_TEDS_READER);
const running = async () => (await ledger.balance()).running;

/** The bank returns the TED with an amount that cannot be read, until the process ends. */
function garble(tedId: string): jest.SpyInstance {
  const bank = ledger.teds as unknown as IncomingTeds;
  const get = bank.get.bind(bank);
  return jest.spyOn(bank, 'get').mockImplementation(async (id) => {
    const withdrawal = await get(id);
    return withdrawal && id === tedId ? { ...withdrawal, amount: 'one real' } : withdrawal;
  });
}

describe('Polling the bank', () => {
  it('keeps the checkpoint while one TED fails, credits the others, and reads it again after a restart', async () => {
    await ledger.tick();
    const { tedId } = await ted('1.00');
    const spy = garble(tedId);
    await ledger.tick();
    const before = await checkpoint();
    ledger.now += 3_600_000;
    await ted('2.00');
    await ledger.tick();
    await eventually(async () => expect(await running()).toBe('2.00'));
    expect(await checkpoint()).toBe(before);
    expect(await of('ponte_bank_entries_failing')).toBe(1);
    expect(await of('ponte_bank_oldest_failing_seconds')).toBeGreaterThanOrEqual(3_600);
    expect(await of('ponte_bank_poll_age_seconds')).toBeLessThan(120);
    spy.mockRestore();
    await ledger.restart();
    await ledger.tick();
    await eventually(async () => expect(await running()).toBe('3.00'));
    expect(await of('ponte_bank_entries_failing')).toBe(0);
    expect(((await checkpoint()) ?? '') > (before ?? '')).toBe(true);
  });

  it('starts again from the stored place under a new fence, as after a rewind', async () => {
    await ledger.tick();
    const list = jest.spyOn(ledger.teds as unknown as IncomingTeds, 'list');
    const pollFrom = async (fence: number): Promise<string> => {
      await ledger.run(new PollReceivedTedsCommand({ fence }, systemContext(ledger.engines.ids, 'test')));
      return list.mock.calls.at(-1)?.[0].from ?? '';
    };
    const earlier = isoTime(ledger.now - 7 * 24 * 3_600_000);
    await ledger.engines.checkpoints.save(RECEIVED_TEDS_READER, earlier, 1);
    expect((await pollFrom(2)) <= earlier).toBe(true);
    expect((await pollFrom(2)) > earlier).toBe(true);
    list.mockRestore();
  });

  it('reads the lists at once after a clock that was ahead, and reports the stored time until then', async () => {
    const bank = ledger.teds as unknown as IncomingTeds;
    const list = jest.spyOn(bank, 'list');
    const poll = (late: boolean) =>
      ledger.run(new PollReceivedTedsCommand({ fence: 0, late }, systemContext(ledger.engines.ids, 'test')));
    const right = ledger.now;
    for (const late of [false, true]) {
      ledger.now = right + 24 * 3_600_000;
      await poll(late);
      ledger.now = right;
      expect(await of('ponte_bank_poll_age_seconds')).toBe(late ? 0 : 24 * 3_600);
      const before = list.mock.calls.length;
      await poll(late);
      expect(list.mock.calls.length - before).toBe(1);
    }
    expect(await checkpoint()).toBe(isoTime(right));
    expect(await of('ponte_bank_poll_age_seconds')).toBe(0);
    list.mockRestore();
  });

  it('measures every reader, and none in a process that no longer polls', async () => {
    await ledger.tick();
    for (const { name } of BANK_READERS) {
      expect(await measured(ledger, 'ponte_bank_entries_failing', name)).toBe(0);
      expect(await measured(ledger, 'ponte_bank_poll_age_seconds', name)).toBeLessThan(120);
    }
    ledger.part(BankPolls).forget();
    expect(await of('ponte_bank_poll_age_seconds')).toBeUndefined();
  });

  it('finds a TED that is listed hours late, and reads that far back once an hour', async () => {
    const bank = ledger.teds as unknown as IncomingTeds;
    const real = bank.list.bind(bank);
    const list = jest.spyOn(bank, 'list').mockImplementation(async (window) => ({ ...(await real(window)), ids: [] }));
    await ted('1.00');
    await ledger.tick();
    ledger.now += 5 * 3_600_000;
    await ledger.tick();
    list.mockImplementation(real);
    await ledger.tick();
    expect(await running()).toBe('0.00');
    const before = list.mock.calls.length;
    const late = () =>
      ledger.run(new PollReceivedTedsCommand({ fence: 0, late: true }, systemContext(ledger.engines.ids, 'test')));
    await late();
    await eventually(async () => expect(await running()).toBe('1.00'));
    await late();
    expect(list.mock.calls.length - before).toBe(1);
    ledger.now += 3_600_000;
    await late();
    expect(list.mock.calls.length - before).toBe(2);
    list.mockRestore();
  });
});
