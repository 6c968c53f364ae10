import type {
  AddressReviewFilters,
  AddressReviewRecord,
  AddressSubject,
  AddressVerdict,
  ReviewedMovementFilters,
} from '@ponte/contracts';
import {
  DecideAddressReview,
  GetAddressReview,
  GetAnyWithdrawal,
  ListAddressMatches,
  ListAddressReviews,
  SANCTIONED_SANDBOX_ADDRESS as LISTED,
  ReviewWithdrawal,
  ScreenAddress,
  SearchAddressReviews,
  addressReviewId,
  addressReviewVersion,
  sealVerdictReason,
} from '@ponte/contracts';
import type { Sealed } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import type { MemoryEventStore } from '@ponte/testing';
import { eventually } from '@ponte/testing';
import { fundTokens } from './fund-tokens';
import type { LedgerUnderTest } from './ledger-under-test';
import { ACCOUNT } from './ledger-under-test';

/** What a reviewed movement sends. */
export const MOVED = { chain: 'eth-base', asset: 'eth-base/brlv', amount: '12.5' } as const;
const PAGE = { limit: 200, cursor: null, createdFrom: null, createdTo: null };

/** The movement that a review is about, by a name. */
export const subject = (name: string, kind: AddressSubject['kind'] = 'transfer'): AddressSubject => ({
  kind,
  id: derivedId('test', name),
});

/** Calls `ask` with the reason of a verdict, sealed for transit. */
export const withReason = async <T>(
  { engines: { personalData } }: Pick<LedgerUnderTest<MemoryEventStore>, 'engines'>,
  text: string,
  ask: (reason: Sealed) => Promise<T>,
): Promise<T> => ask(await sealVerdictReason(personalData, text));

/** Decides a review as it is now, as a staff member does who has just read it. */
export const decideAsRead = (
  ledger: LedgerUnderTest<MemoryEventStore>,
  reviewId: string,
  staffId: string,
  verdict: AddressVerdict,
  text = 'Ticket 1',
) =>
  withReason(ledger, text, async (reason) => {
    const read = await ledger.ask(GetAddressReview, { reviewId });
    const version = read ? addressReviewVersion(read) : '';
    return ledger.ask(DecideAddressReview, { reviewId, version, staffId, verdict, reason });
  });

/** Decides the review of a withdrawal as it is now. */
export const reviewAsRead = (
  ledger: LedgerUnderTest<MemoryEventStore>,
  withdrawalId: string,
  staffId: string,
  verdict: AddressVerdict,
) =>
  withReason(ledger, 'Ticket 1', async (reason) => {
    const read = (await ledger.ask(GetAnyWithdrawal, { withdrawalId }))?.review;
    const version = read ? addressReviewVersion(read) : '';
    return ledger.ask(ReviewWithdrawal, { withdrawalId, version, staffId, verdict, reason });
  });

/** The reviews of movements to an address of the sanctions list. */
export class AddressReviews {
  constructor(private readonly ledger: LedgerUnderTest<MemoryEventStore>) {}

  /** Opens a review of an account, which is active unless the test says otherwise. Returns the id of the review. */
  async held(
    of: AddressSubject,
    accountId = ACCOUNT,
    moved: Pick<AddressReviewRecord, 'chain' | 'asset' | 'amount'> = MOVED,
  ): Promise<string> {
    if (!this.ledger.status.has(accountId)) this.ledger.status.set(accountId, 'active');
    await this.ledger.ask(ScreenAddress, { ...moved, subject: of, accountId, address: LISTED });
    return addressReviewId(of);
  }

  decide(reviewId: string, staffId: string, verdict: AddressVerdict) {
    return decideAsRead(this.ledger, reviewId, staffId, verdict, `Ticket of ${staffId}`);
  }

  /** Opens a review and decides that it is a true match. Returns its id. */
  async matched(of: AddressSubject, accountId = ACCOUNT): Promise<string> {
    const id = await this.held(of, accountId);
    await this.decide(id, 'first', 'true-match');
    return id;
  }

  matches(accountId = ACCOUNT) {
    return this.ledger.ask(ListAddressMatches, { accountId });
  }

  search(filters: Partial<AddressReviewFilters>, page: Partial<typeof PAGE> = {}) {
    return this.ledger.ask(SearchAddressReviews, {
      filters: { accountId: null, verdict: null, ...filters },
      page: { ...PAGE, ...page },
    });
  }

  /** The ids of the open reviews that the filters select, sorted. */
  async waiting(filters: ReviewedMovementFilters): Promise<string[]> {
    return (await this.ledger.ask(ListAddressReviews, filters)).reviews.map(({ id }) => id).sort();
  }

  /** The ids of the reviews that the filters select, sorted. */
  async found(filters: Partial<AddressReviewFilters>): Promise<string[]> {
    return (await this.search(filters)).items.map(({ id }) => id).sort();
  }

  /** Creates a withdrawal that waits for a review. Returns its id. */
  async heldWithdrawal(): Promise<string> {
    await fundTokens(this.ledger);
    await eventually(async () => expect((await this.ledger.balance('eth-base/brlv')).available).toMatch(/^100\./));
    const terms = { asset: 'eth-base/brlv', method: 'token' } as const;
    const { id } = await this.ledger.withdraw('10', { destinationWalletAddress: LISTED }, terms);
    await eventually(async () => expect(await this.waiting({ subject: 'withdrawal' })).toEqual([id]));
    return id;
  }
}
