import {
  AddressReviewOpened,
  GetAddressReview,
  ListAddressReviews,
  SANCTIONED_SANDBOX_ADDRESS as LISTED,
  addressReviewId,
} from '@ponte/contracts';
import { rebuildReadModels } from '@ponte/read-models';
import { eventId } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { sql } from 'kysely';
import { eventually } from '@ponte/testing';
import { LEDGER_REBUILDABLE } from '../ledger.read-models';
import { ACCOUNT } from '../testing/ledger-under-test';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';
import { AddressReviews, subject } from '../testing/address-reviews';

const OTHER = derivedId('test', 'other-account');
const ledger = ledgerForEachTest();
const reviews = new AddressReviews(ledger);

/** The values of the metric for transfers and for orders. */
async function counted(): Promise<(number | undefined)[]> {
  const metric = ledger.engines.metrics.registry.getSingleMetric('ponte_address_true_matches');
  const { values = [] } = (await metric?.get()) ?? {};
  return ['transfer', 'order'].map((kind) => values.find(({ labels }) => labels['subject'] === kind)?.value);
}

describe('The list of address reviews', () => {
  it('can be filtered by account and by final verdict', async () => {
    const waits = await reviews.held(subject('waits'));
    const cleared = await reviews.held(subject('cleared'));
    await reviews.decide(cleared, 'first', 'false-positive');
    await reviews.decide(waits, 'first', 'false-positive');
    await reviews.decide(cleared, 'second', 'false-positive');
    const refused = await reviews.matched(subject('refused'));
    const other = await reviews.matched(subject('other'), OTHER);
    expect(await reviews.found({ accountId: ACCOUNT })).toEqual([waits, cleared, refused].sort());
    expect(await reviews.found({ verdict: 'true-match' })).toEqual([refused, other].sort());
    expect(await reviews.found({ accountId: ACCOUNT, verdict: 'true-match' })).toEqual([refused]);
    expect(await reviews.found({ accountId: ACCOUNT, verdict: 'false-positive' })).toEqual([cleared]);
    expect(await reviews.found({ accountId: OTHER, verdict: 'false-positive' })).toEqual([]);
    expect(await reviews.found({ verdict: 'none' })).toEqual([waits]);
  });

  it('can be filtered by what is moved, whether or not it is decided', async () => {
    const tempo = { chain: 'tempo', asset: 'tempo/brlv', amount: '3' } as const;
    const wallet = { chain: null, asset: null, amount: null };
    const deposit = await reviews.held(subject('deposit', 'deposit'));
    const transfer = await reviews.held(subject('transfer'), ACCOUNT, tempo);
    const whitelisted = await reviews.held(subject('wallet', 'wallet'), ACCOUNT, wallet);
    const withdrawal = await reviews.heldWithdrawal();
    const decided = await reviews.matched(subject('decided'));
    expect(await reviews.waiting({})).toEqual([deposit, transfer, whitelisted, withdrawal].sort());
    for (const [filters, waiting, found] of [
      [{ chain: 'eth-base' }, [deposit, withdrawal], [deposit, withdrawal, decided]],
      [{ asset: 'tempo/brlv' }, [transfer], [transfer]],
      [{ subject: 'wallet' }, [whitelisted], [whitelisted]],
      [{ subject: 'transfer', chain: 'eth-base' }, [], [decided]],
    ] as const)
      expect([await reviews.waiting(filters), await reviews.found(filters)]).toEqual([
        [...waiting].sort(),
        [...found].sort(),
      ]);
  });

  it('shows what is moved', async () => {
    await reviews.held(subject('deposit', 'deposit'));
    await reviews.heldWithdrawal();
    expect((await ledger.ask(ListAddressReviews, {})).reviews.map(({ asset, amount }) => [asset, amount])).toEqual(
      expect.arrayContaining([
        ['eth-base/brlv', '12.5'],
        ['eth-base/brlv', '10.000000000000000000'],
      ]),
    );
  });

  it('has the reviews that wait since the same time in the order of their ids', async () => {
    const ids: string[] = [];
    for (const name of ['one', 'two', 'three', 'four', 'five', 'six']) ids.push(await reviews.held(subject(name)));
    const { reviews: listed } = await ledger.ask(ListAddressReviews, {});
    expect(new Set(listed.map(({ heldAt }) => heldAt)).size).toBe(1);
    expect(listed.map(({ id }) => id)).toEqual(ids.sort());
  });

  it('continues at its cursor, newest first', async () => {
    const made: string[] = [];
    for (const name of ['one', 'two', 'three']) {
      made.unshift(await reviews.held(subject(name)));
      ledger.now += 1_000;
    }
    const first = await reviews.search({ accountId: ACCOUNT }, { limit: 2 });
    const second = await reviews.search({ accountId: ACCOUNT }, { limit: 2, cursor: first.next as never });
    expect([[...first.items, ...second.items].map(({ id }) => id), second.next]).toEqual([made, null]);
  });
});

describe('The read model of address reviews', () => {
  it('has the same rows after a rebuild, including those of withdrawals', async () => {
    const withdrawalId = await reviews.heldWithdrawal();
    await reviews.decide(withdrawalId, 'first', 'true-match');
    await reviews.matched(subject('one'));
    await reviews.held(subject('waits', 'deposit'));
    const before = [await reviews.matches(), await reviews.search({}), await ledger.ask(ListAddressReviews, {})];
    const { readModels, shadowReadModels } = ledger.engines;
    // The projector may still write some of the rows once more.
    await eventually(async () => {
      await sql`DELETE FROM ledger_address_reviews_v2`.execute(readModels);
      expect([(await reviews.matches()).total, (await reviews.search({})).items]).toEqual([0, []]);
    });
    await rebuildReadModels({ store: ledger.store, readModels, shadow: shadowReadModels, rebuild: LEDGER_REBUILDABLE });
    expect([await reviews.matches(), await reviews.search({}), await ledger.ask(ListAddressReviews, {})]).toEqual(
      before,
    );
  });

  it('shows a review that was opened before the chain was recorded', async () => {
    const one = subject('earlier');
    const reviewId = addressReviewId(one);
    const opened = new AddressReviewOpened({
      reviewId,
      subject: one,
      accountId: ACCOUNT,
      address: LISTED,
      hits: [{ list: 'ofac-sdn', entryId: '1', programs: [] }],
      openedAt: '2026-11-20T12:00:00.000Z',
    });
    const commandId = derivedId('test', 'earlier');
    const meta = { commandId, index: 0, count: 1, occurredAt: opened.data.openedAt, correlationId: commandId };
    await ledger.store.append(`addressReview-${reviewId}`, -1, [
      { id: eventId(commandId, 0), type: opened.type, version: 1, data: opened.data, meta },
    ]);
    expect(await ledger.ask(GetAddressReview, { reviewId })).toMatchObject({
      ...{ chain: null, asset: null, amount: null, outcome: 'waits' },
    });
    await reviews.decide(reviewId, 'first', 'true-match');
    expect((await reviews.matches()).matches).toMatchObject([{ reviewId, chain: null }]);
  });
});

describe('The metric of true matches', () => {
  it('counts them by subject, and is 0 from the start', async () => {
    expect(await counted()).toEqual([0, 0]);
    await reviews.matched(subject('one'));
    await reviews.matched(subject('two'), OTHER);
    await reviews.held(subject('waits', 'order'));
    expect(await counted()).toEqual([2, 0]);
  });
});
