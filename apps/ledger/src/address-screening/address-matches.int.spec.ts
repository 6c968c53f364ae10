import type { AddressReviewRecord } from '@ponte/contracts';
import {
  DecideAddressReview,
  ListWaitingAddressReviews,
  MAX_ADDRESS_MATCHES,
  SANCTIONED_SANDBOX_ADDRESS as LISTED,
  addressReviewId,
  addressReviewVersion,
  holderIdOf,
} from '@ponte/contracts';
import { ERASED } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { ACCOUNT, HOLDER_CPF } from '../testing/ledger-under-test';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';
import { AddressReviews, subject } from '../testing/address-reviews';

const OTHER = derivedId('test', 'other-account');
const ledger = ledgerForEachTest();
const reviews = new AddressReviews(ledger);

describe('The open reviews of an account', () => {
  const waiting = async (accountId = ACCOUNT) => (await ledger.ask(ListWaitingAddressReviews, { accountId })).reviewIds;

  it('are listed until staff decide, without those of other accounts', async () => {
    const id = await reviews.held(subject('waits'));
    await reviews.matched(subject('decided'));
    const other = await reviews.held(subject('other'), OTHER);
    expect([await waiting(), await waiting(OTHER)]).toEqual([[id], [other]]);
    await reviews.decide(id, 'first', 'false-positive');
    expect(await waiting()).toEqual([id]);
    await reviews.decide(id, 'second', 'false-positive');
    expect(await waiting()).toEqual([]);
  });

  it('include that of a withdrawal, which is reviewed in its own stream', async () => {
    const id = await reviews.heldWithdrawal();
    expect(await waiting()).toEqual([id]);
    await reviews.decide(id, 'first', 'true-match');
    expect(await waiting()).toEqual([]);
  });
});

describe('The true matches of an account', () => {
  it('list the movement, the address, the chain, and who decided when and why, latest decision first', async () => {
    const [one, two] = [subject('one'), subject('two', 'order')];
    const later = await reviews.held(two);
    ledger.now += 1_000;
    await reviews.matched(one);
    ledger.now += 1_000;
    await reviews.decide(later, 'first', 'false-positive');
    await reviews.decide(later, 'second', 'true-match');
    expect(await reviews.matches()).toEqual({
      total: 2,
      matches: [
        {
          reviewId: later,
          subject: two,
          accountId: ACCOUNT,
          address: LISTED,
          chain: 'eth-base',
          reason: expect.stringMatching(/^sealed:v1:/) as string,
          staffId: 'second',
          decidedAt: '2026-11-20T12:00:02.000Z',
        },
        expect.objectContaining({ reviewId: addressReviewId(one), decidedAt: '2026-11-20T12:00:01.000Z' }),
      ],
    });
  });

  it('leave out open reviews, false positives, and reviews of other accounts', async () => {
    await reviews.held(subject('waits'));
    const cleared = await reviews.held(subject('cleared'));
    await reviews.decide(cleared, 'first', 'false-positive');
    await reviews.decide(cleared, 'second', 'false-positive');
    const other = await reviews.matched(subject('other'), OTHER);
    expect(await reviews.matches()).toEqual({ total: 0, matches: [] });
    expect((await reviews.matches(OTHER)).matches.map(({ reviewId }) => reviewId)).toEqual([other]);
  });

  it('are limited to fifty, with their total number', async () => {
    for (let at = 0; at <= MAX_ADDRESS_MATCHES; at += 1) await reviews.matched(subject(`number ${at}`));
    const { matches: shown, total } = await reviews.matches();
    expect([shown.length, total]).toEqual([MAX_ADDRESS_MATCHES, MAX_ADDRESS_MATCHES + 1]);
  });

  it('include a withdrawal, which is reviewed in its own stream', async () => {
    const id = await reviews.heldWithdrawal();
    expect(await reviews.matches()).toEqual({ total: 0, matches: [] });
    await reviews.decide(id, 'first', 'false-positive');
    await reviews.decide(id, 'second', 'true-match');
    expect(await reviews.matches()).toMatchObject({
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
    const id = await reviews.heldWithdrawal();
    await reviews.decide(id, 'first', 'false-positive');
    ledger.status.set(ACCOUNT, 'frozen');
    expect(await reviews.decide(id, 'second', 'false-positive')).toMatchObject({ outcome: 'clear' });
    expect((await ledger.withdrawal(id))?.state).toBe('rolled-back');
    expect([await reviews.matches(), await reviews.found({ verdict: 'true-match' })]).toEqual([
      { total: 0, matches: [] },
      [],
    ]);
    expect(await reviews.found({ verdict: 'false-positive' })).toEqual([id]);
  });
});

describe('The verdict on an address', () => {
  it('is recorded with the account and the staff member', async () => {
    const id = await reviews.matched(subject('one'));
    const verdicts = (await ledger.events(`addressReview-${id}`)).filter(({ type }) => type === 'AddressReviewed');
    expect(verdicts.map(({ data }) => data)).toMatchObject([
      { accountId: ACCOUNT, staffId: 'first', verdict: 'true-match', outcome: 'refused' },
    ]);
  });

  it.each([
    ['an order', () => reviews.matched(subject('one', 'order'))],
    [
      'a withdrawal',
      async () => {
        const id = await reviews.heldWithdrawal();
        await reviews.decide(id, 'first', 'true-match');
        return id;
      },
    ],
  ])(
    'on %s is stored with its reason sealed under the holder of the account, and erased with it',
    async (_, decide) => {
      const id = await decide();
      const { personalData } = ledger.engines;
      const stored = (await reviews.matches()).matches[0]?.reason ?? 'sealed:v1:missing';
      const holderId = holderIdOf(personalData.fingerprint('tax-id', HOLDER_CPF));
      expect([stored.startsWith(`sealed:v1:${holderId}:`), await personalData.open(stored)]).toEqual([
        true,
        'Ticket of first',
      ]);
      expect(JSON.stringify([await ledger.events(), ledger.lines, await reviews.search({})])).not.toContain(
        'Ticket of',
      );
      expect(await reviews.found({})).toEqual([id]);
      await personalData.erase(holderId);
      expect(await personalData.open(stored)).toBe(ERASED);
    },
  );

  it('is refused if its reason is not sealed for the ledger, or if the holder of the account was erased', async () => {
    const id = await reviews.held(subject('one'));
    const { personalData } = ledger.engines;
    const reason = await personalData.seal('another', 'Ticket 1');
    const version = addressReviewVersion((await reviews.search({})).items[0] as AddressReviewRecord);
    const decision = { reviewId: id, version, staffId: 'first', verdict: 'true-match', reason } as const;
    await expect(ledger.ask(DecideAddressReview, decision)).rejects.toThrow();
    await personalData.erase(holderIdOf(personalData.fingerprint('tax-id', HOLDER_CPF)));
    await expect(reviews.decide(id, 'first', 'true-match')).rejects.toMatchObject({ code: 'person-erased' });
    expect(await ledger.types(`addressReview-${id}`)).toEqual(['AddressReviewOpened']);
  });
});
