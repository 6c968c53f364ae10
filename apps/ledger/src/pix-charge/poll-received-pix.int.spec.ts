import { isoTime } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { depositIdOf } from '../deposit/deposit.state';
import { inBankBooks } from '../testing/bank-books-of';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';
import { measured } from '../testing/measured';
import { lateReader } from '../payouts/bank-polls.service';
import { PollReceivedPixCommand, RECEIVED_PIX_READER } from './poll-received-pix.command';

const ledger = ledgerForEachTest({ booksBalance: true });

const types = (endToEndId: string) => ledger.types(`deposit-${depositIdOf(endToEndId)}`);
const CREDITED = ['DepositCreated', 'DepositConfirmed', 'DepositCredited'];
const MINUTES = 60_000;

/** A payment whose callback is lost and which the bank lists, but does not return when it is asked for it. */
async function listedOnly(amount: string) {
  ledger.bank.misbehaviour.callbacks = 'lost';
  const { endToEndId } = await ledger.pay(await ledger.fundingCode(), amount);
  const real = ledger.bank.getReceived.bind(ledger.bank);
  let isKnown = false;
  const read = jest
    .spyOn(ledger.bank, 'getReceived')
    .mockImplementation(async (id) => (id === endToEndId && !isKnown ? undefined : real(id)));
  return {
    endToEndId,
    appear: () => {
      isKnown = true;
    },
    restore: () => read.mockRestore(),
  };
}
const poll = () => ledger.tick().catch((error: unknown) => expect(error).toMatchObject({ code: 'rail-unavailable' }));

describe('A Pix that the bank lists but does not return', () => {
  it('is credited once the bank returns it, however much later', async () => {
    const { endToEndId, appear, restore } = await listedOnly('10.00');
    await poll();
    ledger.now += 30 * MINUTES;
    await poll();
    expect(await types(endToEndId)).toEqual([]);
    appear();
    await eventually(async () => {
      await poll();
      expect(await types(endToEndId)).toEqual(CREDITED);
    });
    restore();
  });

  it('is voided, not only credited, if the bank took it back meanwhile', async () => {
    const { endToEndId, appear, restore } = await listedOnly('10.00');
    inBankBooks(ledger, (books) => books.takeBack(endToEndId, '10.00', isoTime(ledger.now)));
    await poll();
    ledger.now += 30 * MINUTES;
    await poll();
    appear();
    await eventually(async () => {
      await poll();
      expect((await types(endToEndId)).at(-1)).toBe('DepositVoided');
    });
    await eventually(async () => expect((await ledger.balance()).running).toBe('0.00'));
    restore();
  });
});

describe('A Pix whose callback is lost and that the bank lists late', () => {
  /** Pays, and hides the payment from the bank's list for a while. */
  async function hidden(forMs: number) {
    ledger.bank.misbehaviour.callbacks = 'lost';
    await ledger.tick();
    const { endToEndId } = await ledger.pay(await ledger.fundingCode(), '10.00');
    const until = ledger.now + forMs;
    const real = ledger.bank.listReceived.bind(ledger.bank);
    const list = jest.spyOn(ledger.bank, 'listReceived').mockImplementation(async (window) => {
      const page = await real(window);
      return ledger.now < until ? { ...page, ids: page.ids.filter((id) => id !== endToEndId) } : page;
    });
    while (ledger.now < until) {
      await ledger.tick();
      ledger.now += Math.min(5 * MINUTES, forMs / 4);
    }
    return { endToEndId, restore: () => list.mockRestore() };
  }

  it('is credited by the next poll if it is some minutes late', async () => {
    const { endToEndId, restore } = await hidden(8 * MINUTES);
    await ledger.tick();
    await ledger.credited(endToEndId);
    restore();
  });

  it('is credited by the poll for late payments if it is hours late', async () => {
    const { endToEndId, restore } = await hidden(20 * 60 * MINUTES);
    await ledger.tick();
    expect(await types(endToEndId)).toEqual([]);
    await ledger.run(new PollReceivedPixCommand({ fence: 0, late: true }, ledger.context()));
    await ledger.credited(endToEndId);
    expect(await measured(ledger, 'ponte_bank_entries_failing', lateReader(RECEIVED_PIX_READER))).toBe(0);
    // Its position is old between two polls, which is no reason for an alert.
    expect(await measured(ledger, 'ponte_bank_poll_age_seconds', lateReader(RECEIVED_PIX_READER))).toBeUndefined();
    restore();
  });
});

describe('An entry of the bank with a malformed id', () => {
  const MALFORMED = 'E12345678';
  const counted = async (list: string) =>
    (await ledger.engines.metrics.registry.getSingleMetric('ponte_bank_ids_malformed_total')?.get())?.values.find(
      ({ labels }) => labels.list === list,
    )?.value;
  const logged = (list: string) =>
    ledger.lines.filter(
      (line) => line.includes('"level":50') && line.includes(`"list":"${list}"`) && line.includes('malformed id'),
    );

  it('is logged and counted once per list, and holds up neither the other payments nor the checkpoint', async () => {
    for (const list of ['received', 'taken-back']) expect(await counted(list)).toBe(0);
    const lists = (['listReceived', 'listTakenBack'] as const).map((name) => {
      const real = ledger.bank[name].bind(ledger.bank);
      return jest.spyOn(ledger.bank, name).mockImplementation(async (window) => {
        const page = await real(window);
        return { ...page, ids: [MALFORMED, ...page.ids] };
      });
    });
    ledger.bank.misbehaviour.callbacks = 'lost';
    const { endToEndId } = await ledger.pay(await ledger.fundingCode(), '10.00');
    const checkpoint = () => ledger.engines.checkpoints.load(RECEIVED_PIX_READER);
    await ledger.tick();
    const before = await checkpoint();
    ledger.now += 30 * MINUTES;
    await ledger.tick();
    await ledger.credited(endToEndId);
    expect(Date.parse((await checkpoint()) ?? '') - Date.parse(before ?? '')).toBeGreaterThanOrEqual(30 * MINUTES);
    expect(await measured(ledger, 'ponte_bank_entries_failing', RECEIVED_PIX_READER)).toBe(0);
    for (const list of ['received', 'taken-back'])
      expect([await counted(list), logged(list)]).toEqual([1, [expect.stringContaining(MALFORMED)]]);
    for (const list of lists) list.mockRestore();
  });
});
