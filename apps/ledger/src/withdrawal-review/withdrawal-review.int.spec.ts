import type { WithdrawalReview } from '@ponte/contracts';
import {
  addressReviewVersion,
  ListAddressReviews,
  ReviewWithdrawal,
  SANCTIONED_SANDBOX_ADDRESS,
} from '@ponte/contracts';
import type { AssetId } from '@ponte/kernel';
import { derivedId, Refusal } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { CLEAN_ADDRESS, fundTokens } from '../testing/fund-tokens';
import { REVIEWERS } from './withdrawal-review.domain';
import { reviewAsRead, withReason } from '../testing/address-reviews';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';

const ledger = ledgerForEachTest();
beforeEach(async () => {
  await fundTokens(ledger);
  await eventually(async () => expect((await ledger.balance('eth-base/brlv')).available).toMatch(/^100\./));
});

const withdraw = (destinationWalletAddress: string, asset: AssetId = 'eth-base/brlv') =>
  ledger.withdraw('10', { destinationWalletAddress }, { asset, method: 'token' });
const review = (withdrawalId: string, staffId: string, verdict: 'false-positive' | 'true-match' = 'false-positive') =>
  reviewAsRead(ledger, withdrawalId, staffId, verdict);
const codeOf = (response: Promise<unknown>) =>
  response.then(
    () => 'done',
    (error: unknown) => (error instanceof Refusal ? error.code : Promise.reject(error as Error)),
  );
const withdrawalInReview = async () => {
  const { id } = await withdraw(SANCTIONED_SANDBOX_ADDRESS);
  await eventually(async () => expect((await ledger.ask(ListAddressReviews, {})).reviews).toHaveLength(1));
  return id;
};

describe('A token withdrawal to an address that is on a sanctions list', () => {
  it('stays created with its funds held and nothing signed, however often the timers run', async () => {
    const id = await withdrawalInReview();
    for (let round = 0; round < 3; round += 1) await ledger.tick();
    expect(await ledger.withdrawal(id)).toMatchObject({ state: 'created' });
    expect(await ledger.balance('eth-base/brlv')).toMatchObject({
      held: expect.stringMatching(/^10(\.0+)?$/) as string,
    });
    expect((await ledger.types(`withdrawal-${id}`)).filter((type) => type !== 'WithdrawalCreated')).toEqual([
      'WithdrawalHeldForReview',
    ]);
    const [waiting] = (await ledger.ask(ListAddressReviews, {})).reviews;
    expect(waiting).toMatchObject({ hits: [{ list: 'sandbox', entryId: 'magic-address' }], verdicts: [] });
  });

  it('is sent after false-positive verdicts by two different staff members, and refuses a second verdict by the same one', async () => {
    const id = await withdrawalInReview();
    expect(REVIEWERS).toBe(2);
    expect(await review(id, 'first')).toMatchObject({ state: 'created' });
    expect(await codeOf(review(id, 'first'))).toBe('second-approver-required');
    expect((await ledger.withdrawal(id))?.state).toBe('created');
    expect(await review(id, 'second')).toMatchObject({ state: 'processing' });
    expect(await codeOf(review(id, 'third'))).toBe('review-not-open');
    expect((await ledger.ask(ListAddressReviews, {})).reviews).toEqual([]);
  });

  it('is rolled back by one true match, even after a false positive, and the funds are released', async () => {
    const id = await withdrawalInReview();
    await review(id, 'first');
    expect(await review(id, 'second', 'true-match')).toMatchObject({
      state: 'rolled-back',
      failure: { code: 'compliance' },
    });
    await eventually(async () => {
      await ledger.tick();
      expect(await ledger.balance('eth-base/brlv')).toMatchObject({
        held: expect.stringMatching(/^0(\.0+)?$/) as string,
      });
    });
    expect(await codeOf(review(id, 'third'))).toBe('review-not-open');
    expect(await ledger.types(`withdrawal-${id}`)).not.toContain('WithdrawalProcessingStarted');
  });

  it('is not sent by an approver who has not read the verdict of the first', async () => {
    const id = await withdrawalInReview();
    const read = addressReviewVersion((await ledger.withdrawal(id))?.review as WithdrawalReview);
    const late = (staffId: string) =>
      withReason(ledger, 'Ticket 1', (reason) =>
        ledger.ask(ReviewWithdrawal, { withdrawalId: id, version: read, staffId, verdict: 'false-positive', reason }),
      );
    await late('first');
    expect(await codeOf(late('second'))).toBe('review-changed');
    expect((await ledger.types(`withdrawal-${id}`)).filter((type) => type === 'WithdrawalReviewed')).toHaveLength(1);
    expect(await review(id, 'second')).toMatchObject({ state: 'processing' });
  });

  it('is still held after a restart', async () => {
    const id = await withdrawalInReview();
    await review(id, 'first');
    await ledger.restart();
    await ledger.tick();
    expect(await ledger.withdrawal(id)).toMatchObject({
      state: 'created',
      review: { verdicts: [{ staffId: 'first' }] },
    });
  });

  it('is not sent after two concurrent verdicts by the same person', async () => {
    const id = await withdrawalInReview();
    const codes = await Promise.all([codeOf(review(id, 'first')), codeOf(review(id, 'first'))]);
    expect(codes.sort()).toEqual(['done', 'second-approver-required']);
    expect((await ledger.withdrawal(id))?.state).toBe('created');
  });
});

describe('A token withdrawal to an address that is not listed', () => {
  it('is sent without a review', async () => {
    const { id } = await withdraw(CLEAN_ADDRESS);
    await eventually(async () => expect((await ledger.withdrawal(id))?.state).toBe('processing'));
    expect(await codeOf(review(id, 'first'))).toBe('review-not-open');
    expect(await codeOf(review(derivedId('test', 'none'), 'first'))).toBe('withdrawal-not-found');
  });
});
