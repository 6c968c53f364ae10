import type { AddressSubject } from '@ponte/contracts';
import {
  FindAddressHits,
  GetAddressReview,
  ListAddressReviews,
  SANCTIONED_SANDBOX_ADDRESS as LISTED,
  ScreenAddress,
  addressReviewId,
} from '@ponte/contracts';
import { Refusal, derivedId } from '@ponte/kernel';
import { ACCOUNT } from '../testing/ledger-under-test';
import { decideAsRead, MOVED } from '../testing/address-reviews';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';

const CLEAN = '0x7e5f4552091a69125d5dfcb7b8c2659029395bdf';
const ledger = ledgerForEachTest({ booksBalance: true });

const subject = (name: string, kind: AddressSubject['kind'] = 'transfer'): AddressSubject => ({
  kind,
  id: derivedId('test', name),
});
const screen = async (of: AddressSubject, address: string = LISTED) =>
  (await ledger.ask(ScreenAddress, { ...MOVED, subject: of, accountId: ACCOUNT, address })).outcome;
const decide = (reviewId: string, staffId: string, verdict: 'false-positive' | 'true-match' = 'false-positive') =>
  decideAsRead(ledger, reviewId, staffId, verdict);
const codeOf = (response: Promise<unknown>) =>
  response.then(
    () => 'done',
    (error: unknown) => (error instanceof Refusal ? error.code : Promise.reject(error as Error)),
  );
const queue = async () => (await ledger.ask(ListAddressReviews, {})).reviews;

describe('An address that is on no list', () => {
  it('is clear and opens no review', async () => {
    expect([await screen(subject('one'), CLEAN), await queue()]).toEqual(['clear', []]);
    expect((await ledger.ask(FindAddressHits, { addresses: [CLEAN, LISTED] })).found).toEqual([
      { address: LISTED, hits: [expect.objectContaining({ list: 'sandbox' })] },
    ]);
  });
});

describe('The review of a listed address', () => {
  it('is in the queue once, however often and in whatever case the address is screened', async () => {
    const one = subject('one');
    const written = LISTED.toUpperCase().replace('0X', '0x');
    expect([await screen(one), await screen(one, written), await screen(one)]).toEqual(['waits', 'waits', 'waits']);
    expect(await queue()).toMatchObject([
      { id: addressReviewId(one), subject: one, accountId: ACCOUNT, address: LISTED, chain: 'eth-base' },
    ]);
    expect(await ledger.types(`addressReview-${addressReviewId(one)}`)).toEqual(['AddressReviewOpened']);
  });

  // A movement that waits is screened again every few seconds, for days.
  it('is logged as created once, however often the address is screened', async () => {
    const one = subject('one');
    for (let time = 0; time < 3; time += 1) await screen(one);
    const created = ledger.lines.filter((line) => line.includes('"a resource was created"'));
    expect(created.filter((line) => line.includes(`addressReview-${addressReviewId(one)}`))).toHaveLength(1);
  });

  it('clears after verdicts by two different staff members, and refuses a second verdict by the same one and any third verdict', async () => {
    const one = subject('one');
    const id = addressReviewId(one);
    await screen(one);
    expect(await decide(id, 'first')).toMatchObject({ outcome: 'waits' });
    expect([await codeOf(decide(id, 'first')), await screen(one)]).toEqual(['second-approver-required', 'waits']);
    expect(await decide(id, 'second')).toMatchObject({ outcome: 'clear' });
    expect([await codeOf(decide(id, 'third')), await screen(one), await queue()]).toEqual([
      'review-not-open',
      'clear',
      [],
    ]);
    expect(await ledger.ask(GetAddressReview, { reviewId: id })).toMatchObject({ outcome: 'clear' });
  });

  it('refuses the movement permanently after one true match', async () => {
    const one = subject('one');
    await screen(one);
    await decide(addressReviewId(one), 'first');
    expect(await decide(addressReviewId(one), 'second', 'true-match')).toMatchObject({ outcome: 'refused' });
    expect([await screen(one), await screen(one, CLEAN), await queue()]).toEqual(['refused', 'refused', []]);
  });

  it('stays open even when the list no longer names the address', async () => {
    const one = subject('one');
    await screen(one);
    expect(await screen(one, CLEAN)).toBe('waits');
  });

  it('is separate for each movement, and accepts only one of two concurrent verdicts by the same person', async () => {
    await screen(subject('one'));
    await screen(subject('two', 'order'));
    const id = addressReviewId(subject('one'));
    const codes = await Promise.all([codeOf(decide(id, 'first')), codeOf(decide(id, 'first'))]);
    expect(codes.sort()).toEqual(['done', 'second-approver-required']);
    expect((await queue()).map((one) => one.subject.kind).sort()).toEqual(['order', 'transfer']);
    expect(await codeOf(decide(derivedId('test', 'none'), 'first'))).toBe('address-review-not-found');
  });

  it('is still open after a restart', async () => {
    const one = subject('one');
    await screen(one);
    await decide(addressReviewId(one), 'first');
    await ledger.restart();
    expect([await screen(one), (await queue()).length]).toEqual(['waits', 1]);
    expect(await decide(addressReviewId(one), 'second')).toMatchObject({ outcome: 'clear' });
  });
});
