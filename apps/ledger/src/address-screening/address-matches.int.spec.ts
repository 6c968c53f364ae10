import type { AddressReviewFilters, AddressSubject, AddressVerdict } from '@ponte/contracts';
import {
  AddressReviewOpened,
  DecideAddressReview,
  GetAddressReview,
  ListAddressMatches,
  ListAddressReviews,
  MOST_ADDRESS_MATCHES,
  SANCTIONED_SANDBOX_ADDRESS as LISTED,
  ScreenAddress,
  SearchAddressReviews,
  addressReviewId,
} from '@ponte/contracts';
import { rebuildViews } from '@ponte/read-models';
import { eventId } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { sql } from 'kysely';
import type { MemoryEventStore } from '@ponte/testing';
import { eventually } from '@ponte/testing';
import { LEDGER_VIEWS } from '../rebuild.adapter';
import { fundTokens } from '../testing/fund-tokens';
import type { LedgerUnderTest } from '../testing/ledger-under-test';
import { ACCOUNT } from '../testing/ledger-under-test';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';

const OTHER = derivedId('test', 'other-account');
const PAGE = { limit: 200, cursor: null, createdFrom: null, createdTo: null };
const world = ledgerForEachTest();
let ledger: LedgerUnderTest<MemoryEventStore>;
beforeEach(() => {
  ledger = world.ledger;
});

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
/** What the metric says of transfers and of orders. */
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

describe('The true matches of an account', () => {
  it('name the movement, the address, the chain, and who decided when and why, newest decision first', async () => {
    const [one, two] = [subject('one'), subject('two', 'order')];
    const later = await held(two);
    ledger.now += 1_000;
    await matched(one);
    ledger.now += 1_000;
    await decide(later, 'first', 'false-positive');
    await decide(later, 'second', 'true-match');
    expect(await matches()).toEqual({
      total: 2,
      matches: [
        {
          reviewId: later,
          subject: two,
          accountId: ACCOUNT,
          address: LISTED,
          chain: 'eth-base',
          reason: 'Ticket of second',
          staffId: 'second',
          decidedAt: '2026-11-20T12:00:02.000Z',
        },
        expect.objectContaining({ reviewId: addressReviewId(one), decidedAt: '2026-11-20T12:00:01.000Z' }),
      ],
    });
  });

  it('have nothing of a review that waits or was a false positive, nor of another account', async () => {
    await held(subject('waits'));
    const cleared = await held(subject('cleared'));
    await decide(cleared, 'first', 'false-positive');
    await decide(cleared, 'second', 'false-positive');
    const other = await matched(subject('other'), OTHER);
    expect(await matches()).toEqual({ total: 0, matches: [] });
    expect((await matches(OTHER)).matches.map(({ reviewId }) => reviewId)).toEqual([other]);
  });

  it('are at most fifty, with their number', async () => {
    for (let at = 0; at <= MOST_ADDRESS_MATCHES; at += 1) await matched(subject(`number ${at}`));
    const { matches: shown, total } = await matches();
    expect([shown.length, total]).toEqual([MOST_ADDRESS_MATCHES, MOST_ADDRESS_MATCHES + 1]);
  });

  it('have a withdrawal, which is reviewed in its own stream', async () => {
    const id = await heldWithdrawal();
    expect(await matches()).toEqual({ total: 0, matches: [] });
    await decide(id, 'first', 'false-positive');
    await decide(id, 'second', 'true-match');
    expect(await matches()).toMatchObject({
      total: 1,
      matches: [
        { reviewId: id, subject: { kind: 'withdrawal', id }, address: LISTED, chain: 'eth-base', staffId: 'second' },
      ],
    });
    const verdicts = (await ledger.events(`withdrawal-${id}`)).filter(({ type }) => type === 'WithdrawalReviewed');
    expect(verdicts.map(({ data }) => data)).toEqual(
      ['first', 'second'].map((staffId) => expect.objectContaining({ accountId: ACCOUNT, staffId }) as unknown),
    );
  });

  it('have no withdrawal that was cleared, even when it is rolled back for another reason later', async () => {
    const id = await heldWithdrawal();
    await decide(id, 'first', 'false-positive');
    ledger.status.set(ACCOUNT, 'frozen');
    expect(await decide(id, 'second', 'false-positive')).toMatchObject({ outcome: 'clear' });
    expect((await ledger.withdrawal(id))?.state).toBe('rolled-back');
    expect([await matches(), await found({ verdict: 'true-match' })]).toEqual([{ total: 0, matches: [] }, []]);
    expect(await found({ verdict: 'false-positive' })).toEqual([id]);
  });
});

describe('The verdict about an address', () => {
  it('is recorded with the account and the member of staff', async () => {
    const id = await matched(subject('one'));
    const verdicts = (await ledger.events(`addressReview-${id}`)).filter(({ type }) => type === 'AddressReviewed');
    expect(verdicts.map(({ data }) => data)).toMatchObject([
      { accountId: ACCOUNT, staffId: 'first', verdict: 'true-match', reason: 'Ticket of first', outcome: 'refused' },
    ]);
  });
});

describe('The list of address reviews', () => {
  it('is filtered by account and by what the review ended with', async () => {
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

  it('goes on by its cursor, newest first', async () => {
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
  it('has the same rows after a rebuild, withdrawals too', async () => {
    const withdrawalId = await heldWithdrawal();
    await decide(withdrawalId, 'first', 'true-match');
    await matched(subject('one'));
    await held(subject('waits', 'deposit'));
    const before = [await matches(), await search({}), await ledger.ask(ListAddressReviews, {})];
    const { views, shadowViews } = ledger.engines;
    // The projector may still show some of them once more.
    await eventually(async () => {
      await sql`DELETE FROM ledger_address_reviews`.execute(views);
      expect([(await matches()).total, (await search({})).items]).toEqual([0, []]);
    });
    await rebuildViews({ store: ledger.store, views, shadow: shadowViews, rebuild: LEDGER_VIEWS });
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
  it('counts them by what they belong to, and is 0 from the start', async () => {
    expect(await counted()).toEqual([0, 0]);
    await matched(subject('one'));
    await matched(subject('two'), OTHER);
    await held(subject('waits', 'order'));
    expect(await counted()).toEqual([2, 0]);
  });
});
