import { eventually } from '@ponte/testing';
import { depositIdOf } from '../deposit/deposit.state';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';
import { STRANGER_CPF } from '../testing/ledger-under-test';
import { UnfinishedReturns } from './unfinished-returns.read-model';

const DAY_MS = 24 * 3_600_000;

const ledger = ledgerForEachTest({ booksBalance: true });

/** Lets the bank answer every request for a return, and every question about one, with this status. */
function bankAnswers(status: 'processing' | 'not-carried-out') {
  const answer = async (returnId: string) => ({ returnId, status, amount: '8.00', bankReturnId: null });
  jest.spyOn(ledger.bank, 'requestReturn').mockImplementation((_id, returnId) => answer(returnId));
  jest.spyOn(ledger.bank, 'getReturn').mockImplementation((_id, returnId) => answer(returnId));
}
afterEach(() => jest.restoreAllMocks());
const types = (endToEndId: string) => ledger.types(`deposit-${depositIdOf(endToEndId)}`);
/** A payment of someone else, which Ponte returns. */
async function returned(): Promise<string> {
  const { endToEndId } = await ledger.pay(await ledger.fundingCode(), '8.00', STRANGER_CPF);
  await eventually(async () => expect(await types(endToEndId)).toEqual(['DepositCreated', 'DepositVoided']));
  return endToEndId;
}
const ageInDays = async () =>
  Number(
    (await ledger.engines.metrics.registry.getSingleMetric('ponte_return_oldest_seconds')?.get())?.values[0]?.value,
  ) /
  (DAY_MS / 1_000);
const reaches = (days: number) => eventually(async () => expect(await ageInDays()).toBeCloseTo(days, 2));

describe('The returns that the bank has not finished', () => {
  it('are listed from the one that has been due longest, after any of them', async () => {
    bankAnswers('processing');
    const first = depositIdOf(await returned());
    ledger.now += DAY_MS;
    const second = depositIdOf(await returned());
    const list = ledger.part(UnfinishedReturns);
    const now = new Date(ledger.now).toISOString();
    const due = async (until: string, pageSize?: number) => {
      const pages: (readonly string[])[] = [];
      for await (const ids of list.due(until, pageSize)) pages.push(ids);
      return pages;
    };
    await eventually(async () => expect(await due(now)).toEqual([[first, second]]));
    expect(await due(now, 1)).toEqual([[first], [second]]);
    expect(await due((await list.oldest()) ?? '')).toEqual([[first]]);
    expect(await list.among([second, 'other'])).toEqual(new Set([second]));
    jest.restoreAllMocks();
    await ledger.tick();
    await eventually(async () => expect(await due(now)).toEqual([]));
    expect([await list.among([first, second]), await list.among([])]).toEqual([new Set(), new Set()]);
  });
});

describe('The age of the oldest return that the bank has not finished', () => {
  it('counts from the request of the oldest one, until the bank has executed it', async () => {
    expect(await ageInDays()).toBe(0);
    bankAnswers('processing');
    await returned();
    ledger.now += DAY_MS;
    await returned();
    ledger.now += DAY_MS;
    await ledger.tick();
    await reaches(2);
    jest.restoreAllMocks();
    await ledger.tick();
    await reaches(0);
  });

  it('counts on over the attempts of a return, and ends when the bank refuses it permanently', async () => {
    bankAnswers('processing');
    const endToEndId = await returned();
    ledger.now += DAY_MS;
    bankAnswers('not-carried-out');
    await ledger.tick();
    expect((await types(endToEndId)).at(-1)).toBe('DepositReturnFailed');
    await reaches(1);
    await eventually(async () => {
      await ledger.tick();
      expect((await types(endToEndId)).at(-1)).toBe('SuspensePosted');
    });
    await reaches(0);
  });

  it('counts from the take-back while it is uncertain whether the return was executed as well', async () => {
    bankAnswers('processing');
    const endToEndId = await returned();
    ledger.now += DAY_MS;
    await reaches(1);
    jest.spyOn(ledger.bank, 'getReturn').mockResolvedValue(undefined);
    await ledger.takeBack(endToEndId);
    await reaches(0);
    ledger.now += DAY_MS;
    await reaches(1);
    bankAnswers('not-carried-out');
    await ledger.tick();
    await reaches(0);
  });
});
