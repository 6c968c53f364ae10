import { PlaceHold } from '@ponte/contracts';
import { eventually } from '@ponte/testing';
import { AccountStream } from '../testing/account-stream';
import { AddressReviews, subject } from '../testing/address-reviews';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';
import { ACCOUNT } from '../testing/ledger-under-test';

const MINUTE = 60_000;
const ORDER = subject('order', 'order');
const ledger = ledgerForEachTest();
let account: AccountStream;
const reviews = new AddressReviews(ledger);
beforeEach(async () => {
  account = new AccountStream(ledger);
  await ledger.payIn('10.00');
  const hold = { holdId: 'h1', owner: { kind: 'order', id: ORDER.id }, asset: 'fiat/brl', amount: '1.00' } as const;
  await ledger.ask(PlaceHold, { accountId: ACCOUNT, hold });
  await shows('to-10m nothing: 1');
});

/** The series of open holds that are not zero, as `age waits_for: count`. */
const holds = async () =>
  ((await ledger.engines.metrics.registry.getSingleMetric('ponte_ledger_open_holds')?.get())?.values ?? [])
    .filter(({ value }) => value !== 0)
    .map(({ labels: { age, waits_for }, value }) => `${age} ${waits_for}: ${value}`);
const shows = (series: string) => eventually(async () => expect(await holds()).toEqual([series]));

describe('The hold of an order in the metrics', () => {
  it('waits for a release while its account is frozen, and counts from the release afterwards', async () => {
    await account.freeze();
    await shows('to-10m release: 1');
    ledger.now += 11 * MINUTE;
    await shows('over-10m release: 1');
    await account.release();
    await shows('to-10m nothing: 1');
    ledger.now += 11 * MINUTE;
    await shows('over-10m nothing: 1');
  });

  it('waits for a review until the last verdict, and counts from there afterwards', async () => {
    const review = await reviews.held(ORDER);
    await shows('to-10m review: 1');
    ledger.now += 11 * MINUTE;
    await reviews.decide(review, 'first', 'false-positive');
    await shows('over-10m review: 1');
    await reviews.decide(review, 'second', 'false-positive');
    await shows('to-10m nothing: 1');
  });
});
