import type { AddressReviewFilters, AddressSubject, AddressVerdict } from '@ponte/contracts';
import {
  DecideAddressReview,
  ListAddressMatches,
  ListAddressReviews,
  MOST_ADDRESS_MATCHES,
  SANCTIONED_SANDBOX_ADDRESS as LISTED,
  ScreenAddress,
  SearchAddressReviews,
  addressReviewId,
} from '@ponte/contracts';
import { derivedId } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
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
  it('list the movement, the address, the chain, and who decided when and why, latest decision first', async () => {
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

  it('leave out open reviews, false positives, and reviews of other accounts', async () => {
    await held(subject('waits'));
    const cleared = await held(subject('cleared'));
    await decide(cleared, 'first', 'false-positive');
    await decide(cleared, 'second', 'false-positive');
    const other = await matched(subject('other'), OTHER);
    expect(await matches()).toEqual({ total: 0, matches: [] });
    expect((await matches(OTHER)).matches.map(({ reviewId }) => reviewId)).toEqual([other]);
  });

  it('are limited to fifty, with their total number', async () => {
    for (let at = 0; at <= MOST_ADDRESS_MATCHES; at += 1) await matched(subject(`number ${at}`));
    const { matches: shown, total } = await matches();
    expect([shown.length, total]).toEqual([MOST_ADDRESS_MATCHES, MOST_ADDRESS_MATCHES + 1]);
  });

  it('include a withdrawal, which is reviewed in its own stream', async () => {
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

  it('leave out a withdrawal that was cleared, even if it is rolled back later for another reason', async () => {
    const id = await heldWithdrawal();
    await decide(id, 'first', 'false-positive');
    ledger.status.set(ACCOUNT, 'frozen');
    expect(await decide(id, 'second', 'false-positive')).toMatchObject({ outcome: 'clear' });
    expect((await ledger.withdrawal(id))?.state).toBe('rolled-back');
    expect([await matches(), await found({ verdict: 'true-match' })]).toEqual([{ total: 0, matches: [] }, []]);
    expect(await found({ verdict: 'false-positive' })).toEqual([id]);
  });
});

describe('The verdict on an address', () => {
  it('is recorded with the account and the staff member', async () => {
    const id = await matched(subject('one'));
    const verdicts = (await ledger.events(`addressReview-${id}`)).filter(({ type }) => type === 'AddressReviewed');
    expect(verdicts.map(({ data }) => data)).toMatchObject([
      { accountId: ACCOUNT, staffId: 'first', verdict: 'true-match', reason: 'Ticket of first', outcome: 'refused' },
    ]);
  });
});
