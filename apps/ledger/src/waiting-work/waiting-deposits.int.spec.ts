import type { IncomingTransfersEvent } from '@ponte/contracts';
import {
  ConfirmUsdDeposit,
  IncomingTransfersSeen,
  LEDGER_TRANSIT_SUBJECT,
  RecordUsdDeposit,
  SANCTIONED_SANDBOX_ADDRESS,
  addressReviewId,
} from '@ponte/contracts';
import { eventually } from '@ponte/testing';
import { DepositReadModel } from '../deposit/deposits.read-model';
import { AccountStream } from '../testing/account-stream';
import { AddressReviews } from '../testing/address-reviews';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';
import { ACCOUNT } from '../testing/ledger-under-test';
import {
  BLOCK,
  MINED_AT,
  ReportedTransfers,
  confirmed,
  depositIdOf,
  final,
  incoming,
  seen,
} from '../testing/reported-transfers';

const HOUR = 3_600_000;
const DEPOSIT = depositIdOf('one');
const ledger = ledgerForEachTest();
const reviews = new AddressReviews(ledger);
let account: AccountStream;
let transfers: ReportedTransfers;
beforeEach(() => {
  account = new AccountStream(ledger);
  transfers = new ReportedTransfers(ledger);
});

/** The ages of deposits that are not zero, in hours, as `type waits_for: hours`. */
const ages = async () =>
  ((await ledger.engines.metrics.registry.getSingleMetric('ponte_deposit_oldest_seconds')?.get())?.values ?? [])
    .filter(({ value }) => value !== 0)
    .map(({ labels: { type, waits_for }, value }) => `${type} ${waits_for}: ${(value * 1_000) / HOUR}`);
const shows = (...series: string[]) => eventually(async () => expect(await ages()).toEqual(series));
const status = async () => (await transfers.statuses())[DEPOSIT];
const arrives = async (event: IncomingTransfersEvent) => {
  await transfers.report(event);
  await transfers.report(confirmed('one'));
  await eventually(async () => expect(await status()).toBe('confirmed'));
};

describe('The oldest deposit in the metrics', () => {
  it('waits for the release of its account once its block is final', async () => {
    ledger.status.set(ACCOUNT, 'frozen');
    await account.freeze();
    await arrives(seen('one'));
    ledger.now += 3 * HOUR;
    await shows('token nothing: 3');
    await transfers.report(final('one'));
    await shows('token release: 3');
  });

  it('counts from the latest freeze while it waits, and from the release afterwards', async () => {
    await arrives(seen('one'));
    ledger.now += 3 * HOUR;
    ledger.status.set(ACCOUNT, 'frozen');
    await account.freeze();
    await transfers.report(final('one'));
    ledger.now += 500 * HOUR;
    await shows('token release: 500');
    // The ledger still gets the answer that the account is frozen, so the deposit is stuck.
    await account.release();
    ledger.now += HOUR;
    await shows('token nothing: 1');
    expect(await status()).toBe('confirmed');
  });

  it('waits for the review of its address until the last verdict, and counts from there afterwards', async () => {
    const transfer = { ...incoming('one'), from: SANCTIONED_SANDBOX_ADDRESS };
    await arrives(new IncomingTransfersSeen({ ...BLOCK, minedAt: MINED_AT, sighting: 1, transfers: [transfer] }));
    await transfers.report(final('one'));
    const review = addressReviewId({ kind: 'deposit', id: DEPOSIT });
    await eventually(async () => expect(await reviews.found({})).toEqual([review]));
    ledger.now += 50 * HOUR;
    await shows('token review: 50');
    await reviews.decide(review, 'first', 'false-positive');
    await shows('token review: 50');
    ledger.status.set(ACCOUNT, 'frozen');
    await reviews.decide(review, 'second', 'false-positive');
    ledger.now += HOUR;
    await shows('token nothing: 1');
    expect(await status()).toBe('confirmed');
  });

  it('is a USD deposit only after the second staff member, whose decision has a metric of its own', async () => {
    ledger.status.set(ACCOUNT, 'frozen');
    const { id } = await ledger.ask(RecordUsdDeposit, {
      accountId: ACCOUNT,
      amount: '2500.00',
      staffId: 'first',
      evidence: { bankReference: 'SWIFT-1', documentSha256: 'f'.repeat(64) },
      coordinates: await ledger.engines.personalData.seal(
        LEDGER_TRANSIT_SUBJECT,
        JSON.stringify({ source: null, target: null }),
      ),
    });
    ledger.now += 5 * HOUR;
    const deposits = ledger.part(DepositReadModel);
    await eventually(async () => expect((await deposits.open()).filter(({ count }) => count > 0)).toHaveLength(1));
    await shows();
    await ledger.ask(ConfirmUsdDeposit, { depositId: id, staffId: 'second' });
    await shows('manual-fx nothing: 5');
  });

  it('is not reported after it is credited', async () => {
    await arrives(seen('one'));
    ledger.now += HOUR;
    await shows('token nothing: 1');
    await transfers.report(final('one'));
    await shows();
  });
});
