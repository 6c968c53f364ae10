import { ListStartedWithdrawals, SettleTokenWithdrawal } from '@ponte/contracts';
import { isoTime } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { AccountStream } from '../testing/account-stream';
import { AddressReviews } from '../testing/address-reviews';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';
import { tokenWithdrawalsOf } from '../testing/token-withdrawals';
import { LedgerDecisions } from './ledger-decisions.read-model';

const MINUTE = 60_000;
const ledger = ledgerForEachTest();
const { fund, withdraw } = tokenWithdrawalsOf(ledger);
const reviews = new AddressReviews(ledger);
let account: AccountStream;
let id: string;
beforeEach(async () => {
  account = new AccountStream(ledger);
  await fund();
  id = (await withdraw('1')).id;
  await eventually(async () => expect((await ledger.withdrawal(id))?.state).toBe('processing'));
});

/** Movements has signed the transaction. */
const sign = (digit = 'a') =>
  ledger.ask(SettleTokenWithdrawal, {
    withdrawalId: id,
    outcome: { state: 'broadcast', txHash: `0x${digit.repeat(64)}` },
  });
const started = async () =>
  (await ledger.ask(ListStartedWithdrawals, { startedBefore: isoTime(ledger.now), limit: 5, after: null })).withdrawals;
/** How many minutes the oldest token withdrawal has been due. */
const dueFor = async () => {
  const metric = await ledger.engines.metrics.registry.getSingleMetric('ponte_withdrawal_oldest_seconds')?.get();
  return (metric?.values.find(({ labels }) => labels.method === 'token')?.value ?? -1) / 60;
};
const shows = (minutes: number) => eventually(async () => expect(await dueFor()).toBe(minutes));

describe('A token withdrawal that is being sent, in the metrics', () => {
  it('is due since it started, and the sweep leaves it to movements', async () => {
    ledger.now += 40 * MINUTE;
    await shows(40);
    await ledger.tick();
    expect((await ledger.withdrawal(id))?.state).toBe('processing');
    // The sweep ran a minute later.
    await shows(41);
  });

  it('is not due while its account is frozen, and counts from the release afterwards', async () => {
    ledger.now += 40 * MINUTE;
    await account.freeze();
    await shows(0);
    ledger.now += 100 * MINUTE;
    await account.release();
    ledger.now += 2 * MINUTE;
    await shows(2);
  });

  it('is not due while its address is under review, and counts from the last verdict afterwards', async () => {
    ledger.now += 40 * MINUTE;
    const review = await reviews.held({ kind: 'withdrawal', id });
    await shows(0);
    await reviews.decide(review, 'first', 'false-positive');
    await reviews.decide(review, 'second', 'false-positive');
    ledger.now += 2 * MINUTE;
    await shows(2);
  });

  it('is due again once it is signed, although its account is frozen', async () => {
    ledger.now += 40 * MINUTE;
    await account.freeze();
    await shows(0);
    await sign();
    await shows(40);
  });

  it('keeps its age when its account is released after it was signed', async () => {
    ledger.now += 40 * MINUTE;
    await sign();
    await account.freeze();
    ledger.now += 20 * MINUTE;
    await account.release();
    const decisions = () => ledger.part(LedgerDecisions).select((rows) => rows);
    await eventually(async () => expect(await decisions()).toMatchObject([{ made_at: isoTime(ledger.now) }]));
    await shows(60);
    // A raised fee is no new signature.
    ledger.now += MINUTE;
    await sign('b');
    await shows(61);
  });

  it('counts from a release before it was signed, even when its fees are raised later', async () => {
    await account.freeze();
    ledger.now += 100 * MINUTE;
    await account.release();
    ledger.now += MINUTE;
    await sign();
    ledger.now += 9 * MINUTE;
    await sign('b');
    await shows(10);
  });

  it('is due again once it is signed, although its address is under review', async () => {
    ledger.now += 40 * MINUTE;
    await reviews.held({ kind: 'withdrawal', id });
    await shows(0);
    await sign();
    await shows(40);
  });
});

it('A token withdrawal is listed as started until its transaction has ended', async () => {
  const listed = [{ withdrawalId: id, startedAt: expect.any(String) as string }];
  expect(await started()).toEqual(listed);
  await sign();
  expect(await started()).toEqual(listed);
  const failure = { code: 'withdrawal-reverted', message: '', retryable: true } as const;
  await ledger.ask(SettleTokenWithdrawal, { withdrawalId: id, outcome: { state: 'failed', failure } });
  expect(await started()).toEqual([]);
});
