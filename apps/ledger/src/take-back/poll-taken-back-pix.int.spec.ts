import { depositIdOf } from '../deposit/deposit.state';
import { eventually } from '@ponte/testing';
import { apiPixLedgerForEachTest } from '../testing/api-pix-ledger-for-each-test';
import { measured } from '../testing/measured';
import { PollTakenBackPixCommand, TAKEN_BACK_PIX_READER } from './poll-taken-back-pix.command';

const { ledger, pix } = apiPixLedgerForEachTest();

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** A payment that reaches the bank; no callback reports it. */
async function received(amount: string): Promise<string> {
  pix().now = ledger.now;
  return pix().simulated.payCode(await ledger.fundingCode(), amount);
}
const credited = async (amount: string) => {
  const endToEndId = await received(amount);
  await ledger.tick();
  await ledger.credited(endToEndId);
  return endToEndId;
};
const poll = (late = false) => ledger.run(new PollTakenBackPixCommand({ fence: 0, late }, ledger.context()));
const listed = () => jest.spyOn(ledger.bank, 'listTakenBack');
const isVoided = (endToEndId: string) =>
  eventually(async () =>
    expect((await ledger.types(`deposit-${depositIdOf(endToEndId)}`)).at(-1)).toBe('DepositVoided'),
  );
const failing = () => measured(ledger, 'ponte_bank_entries_failing', TAKEN_BACK_PIX_READER);
const takenBack = (endToEndId: string, amount: string) =>
  pix().api.otherReturns.set(endToEndId, [{ amount, at: new Date(ledger.now).toISOString() }]);

describe('The list of what the bank took back', () => {
  it('keeps no received payment from being credited while it cannot be read', async () => {
    const list = listed().mockRejectedValue(new Error('the bank refuses the list'));
    await expect(ledger.tick()).rejects.toThrow('refuses the list');
    for (const amount of ['10.00', '20.00']) {
      const endToEndId = await received(amount);
      await ledger.tick().catch(() => undefined);
      await ledger.credited(endToEndId);
    }
    list.mockRestore();
  });

  it('is read every five minutes, as far back as a take-back may come, and not again for late entries', async () => {
    const endToEndId = await credited('10.00');
    ledger.now += 90 * DAY_MS;
    takenBack(endToEndId, '10.00');
    const list = listed();
    await poll();
    await isVoided(endToEndId);
    const windows = list.mock.calls.length;
    ledger.now += 4 * MINUTE_MS;
    await poll();
    await poll(true);
    expect(list.mock.calls).toHaveLength(windows);
    ledger.now += MINUTE_MS;
    await poll();
    expect(list.mock.calls.length).toBeGreaterThan(windows);
    list.mockRestore();
  });

  it('is not read again within five minutes of the end of a read that took longer', async () => {
    const real = ledger.bank.listTakenBack.bind(ledger.bank);
    const list = listed().mockImplementation((window) => {
      ledger.now += 10 * MINUTE_MS;
      return real(window);
    });
    ledger.now += 5 * MINUTE_MS;
    await poll();
    const windows = list.mock.calls.length;
    expect(windows).toBeGreaterThan(0);
    ledger.now += 4 * MINUTE_MS;
    await poll();
    expect(list.mock.calls).toHaveLength(windows);
    ledger.now += MINUTE_MS;
    await poll();
    expect(list.mock.calls.length).toBeGreaterThan(windows);
    list.mockRestore();
  });

  it('is read on from the page that the bank did not give', async () => {
    pix().api.pageSize = 1;
    const payments = [await credited('10.00'), await credited('20.00')];
    for (const [at, endToEndId] of payments.entries()) takenBack(endToEndId, `${at + 1}0.00`);
    ledger.now += 5 * MINUTE_MS;
    const real = ledger.bank.listTakenBack.bind(ledger.bank);
    const list = listed().mockImplementation((window) =>
      window.page > 0 ? Promise.reject(new Error('too many requests')) : real(window),
    );
    await expect(poll()).rejects.toThrow('too many requests');
    expect(list.mock.calls.at(-1)?.[0].page).toBe(1);
    list.mockClear();
    list.mockImplementation(real);
    await poll();
    expect(list.mock.calls[0]?.[0].page).toBe(1);
    for (const endToEndId of payments) await isVoided(endToEndId);
    list.mockRestore();
  });

  it('reports an entry that cannot be read until it can be, and records the others', async () => {
    const [damaged, other] = [await credited('10.00'), await credited('20.00')];
    takenBack(damaged, 'ten');
    takenBack(other, '20.00');
    ledger.now += 5 * MINUTE_MS;
    const list = listed();
    await poll();
    await isVoided(other);
    expect(await failing()).toBe(1);
    expect(ledger.lines.join()).toContain('"failure":"UnreadableTakeBack"');
    const windows = list.mock.calls.length;
    // Retrying the entry reads no list.
    await poll();
    expect(list.mock.calls).toHaveLength(windows);
    takenBack(damaged, '10.00');
    ledger.now += 5 * MINUTE_MS;
    await poll();
    await poll();
    await isVoided(damaged);
    expect(await failing()).toBe(0);
    list.mockRestore();
  });

  it('logs an entry that could not be read until its payment was too old to be listed', async () => {
    const endToEndId = await credited('10.00');
    ledger.now += 99 * DAY_MS;
    takenBack(endToEndId, 'ten');
    await poll();
    expect(await failing()).toBe(1);
    const isLogged = () => ledger.lines.join().includes('too old to be read again: staff must settle it');
    expect(isLogged()).toBe(false);
    ledger.now += 3 * DAY_MS;
    for (let read = 0; read < 2; read += 1) {
      await poll();
      ledger.now += 6 * MINUTE_MS;
    }
    await poll();
    expect(await failing()).toBe(0);
    expect(isLogged()).toBe(true);
  });

  it.each([
    ['a part', '4.00'],
    ['no take-back', null],
    ['nothing at all', undefined],
  ])('ends an entry that could not be read when the bank corrects it to %s', async (_case, amount) => {
    const endToEndId = await credited('10.00');
    const at = new Date(ledger.now).toISOString();
    takenBack(endToEndId, 'ten');
    ledger.now += 5 * MINUTE_MS;
    await poll();
    expect(await failing()).toBe(1);
    if (amount === undefined) pix().api.otherReturns.delete(endToEndId);
    else pix().api.otherReturns.set(endToEndId, amount === null ? [] : [{ amount, at }]);
    ledger.now += 5 * MINUTE_MS;
    await poll();
    await poll();
    expect(await failing()).toBe(0);
    expect(await ledger.balance()).toMatchObject({ running: '10.00' });
    takenBack(endToEndId, '10.00');
    ledger.now += 5 * MINUTE_MS;
    await poll();
    await isVoided(endToEndId);
  });

  it('is not reported for a payment that is settled, even if its entry cannot be read later', async () => {
    const endToEndId = await credited('10.00');
    takenBack(endToEndId, '10.00');
    ledger.now += 5 * MINUTE_MS;
    await poll();
    await isVoided(endToEndId);
    takenBack(endToEndId, 'ten');
    ledger.now += 5 * MINUTE_MS;
    await poll();
    expect(await failing()).toBe(0);
  });
});
