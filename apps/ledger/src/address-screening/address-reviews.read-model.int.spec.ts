import type { AddressReviewFilters, AddressSubject, AddressVerdict } from '@ponte/contracts';
import {
  AddressReviewOpened,
  DecideAddressReview,
  GetAddressReview,
  ListAddressMatches,
  ListAddressReviews,
  SANCTIONED_SANDBOX_ADDRESS as LISTED,
  ScreenAddress,
  SearchAddressReviews,
  addressReviewId,
} from '@ponte/contracts';
import { rebuildReadModels } from '@ponte/read-models';
import { eventId } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { sql } from 'kysely';
import { eventually } from '@ponte/testing';
import { LEDGER_REBUILDABLE } from '../ledger.read-models';
import { fundTokens } from '../testing/fund-tokens';
import { ACCOUNT } from '../testing/ledger-under-test';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';

const OTHER = derivedId('test', 'other-account');
const PAGE = { limit: 200, cursor: null, createdFrom: null, createdTo: null };
const ledger = ledgerForEachTest();

const subject = (name: string, kind: AddressSubject['kind'] = 'transfer'): AddressSubject => ({
  kind,
  id: derivedId('test', name),
});
const held = async (of: AddressSubject, accountId = ACCOUNT): Promise<string> => {
  await ledger.ask(ScreenAddress, { subject: of, accountId, address: LISTED, chain: 'eth-base' });
  return addressReviewId(of);
};
const decide = (reviewId: string, staffId: string, verdict: AddressVerdict) =>
  ledger.ask(DecideAddressReview, { reviewId, staffId, verdict, reason: `Ticket of ${staffId}` });
const matched = async (of: AddressSubject, accountId = ACCOUNT): Promise<string> => {
  const id = await held(of, accountId);
  await decide(id, 'first', 'true-match');
  return id;
};
const matches = (accountId = ACCOUNT) => ledger.ask(ListAddressMatches, { accountId });
const search = async (filters: Partial<AddressReviewFilters>, page: Partial<typeof PAGE> = {}) =>
  ledger.ask(SearchAddressReviews, {
    filters: { accountId: null, verdict: null, ...filters },
    page: { ...PAGE, ...page },
  });
const found = async (filters: Partial<AddressReviewFilters>) =>
  (await search(filters)).items.map(({ id }) => id).sort();
/** The values of the metric for transfers and for orders. */
async function counted(): Promise<(number | undefined)[]> {
  const metric = ledger.engines.metrics.registry.getSingleMetric('ponte_address_true_matches');
  const { values = [] } = (await metric?.get()) ?? {};
  return ['transfer', 'order'].map((kind) => values.find(({ labels }) => labels['subject'] === kind)?.value);
}
/** A withdrawal that waits for a review. */
async function heldWithdrawal(): Promise<string> {
  await fundTokens(ledger);
  await eventually(async () => expect((await ledger.balance('eth-base/brlv')).available).toMatch(/^100\./));
  const asked = { asset: 'eth-base/brlv', method: 'token' } as const;
  const { id } = await ledger.withdraw('10', { destinationWalletAddress: LISTED }, asked);
  await eventually(async () => expect((await ledger.ask(ListAddressReviews, {})).reviews).toHaveLength(1));
  return id;
}

describe('The list of address reviews', () => {
  it('can be filtered by account and by final verdict', async () => {
    const waits = await held(subject('waits'));
    const cleared = await held(subject('cleared'));
    await decide(cleared, 'first', 'false-positive');
    await decide(waits, 'first', 'false-positive');
    await decide(cleared, 'second', 'false-positive');
    const refused = await matched(subject('refused'));
    const other = await matched(subject('other'), OTHER);
    expect(await found({ accountId: ACCOUNT })).toEqual([waits, cleared, refused].sort());
    expect(await found({ verdict: 'true-match' })).toEqual([refused, other].sort());
    expect(await found({ accountId: ACCOUNT, verdict: 'true-match' })).toEqual([refused]);
    expect(await found({ accountId: ACCOUNT, verdict: 'false-positive' })).toEqual([cleared]);
    expect(await found({ accountId: OTHER, verdict: 'false-positive' })).toEqual([]);
  });

  it('continues at its cursor, newest first', async () => {
    const made: string[] = [];
    for (const name of ['one', 'two', 'three']) {
      made.unshift(await held(subject(name)));
      ledger.now += 1_000;
    }
    const first = await search({ accountId: ACCOUNT }, { limit: 2 });
    const second = await search({ accountId: ACCOUNT }, { limit: 2, cursor: first.next as never });
    expect([[...first.items, ...second.items].map(({ id }) => id), second.next]).toEqual([made, null]);
  });
});

describe('The read model of address reviews', () => {
  it('has the same rows after a rebuild, including those of withdrawals', async () => {
    const withdrawalId = await heldWithdrawal();
    await decide(withdrawalId, 'first', 'true-match');
    await matched(subject('one'));
    await held(subject('waits', 'deposit'));
    const before = [await matches(), await search({}), await ledger.ask(ListAddressReviews, {})];
    const { readModels, shadowReadModels } = ledger.engines;
    // The projector may still write some of the rows once more.
    await eventually(async () => {
      await sql`DELETE FROM ledger_address_reviews`.execute(readModels);
      expect([(await matches()).total, (await search({})).items]).toEqual([0, []]);
    });
    await rebuildReadModels({ store: ledger.store, readModels, shadow: shadowReadModels, rebuild: LEDGER_REBUILDABLE });
    expect([await matches(), await search({}), await ledger.ask(ListAddressReviews, {})]).toEqual(before);
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
    expect(await ledger.ask(GetAddressReview, { reviewId })).toMatchObject({ chain: null, outcome: 'waits' });
    await decide(reviewId, 'first', 'true-match');
    expect((await matches()).matches).toMatchObject([{ reviewId, chain: null }]);
  });
});

describe('The metric of true matches', () => {
  it('counts them by subject, and is 0 from the start', async () => {
    expect(await counted()).toEqual([0, 0]);
    await matched(subject('one'));
    await matched(subject('two'), OTHER);
    await held(subject('waits', 'order'));
    expect(await counted()).toEqual([2, 0]);
  });
});
