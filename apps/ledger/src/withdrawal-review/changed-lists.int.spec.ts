import type { AddressHit, AddressSubject } from '@ponte/contracts';
import {
  GetAddressReview,
  SANCTIONED_SANDBOX_ADDRESS as LISTED,
  ScreenAddress,
  addressReviewId,
} from '@ponte/contracts';
import { derivedId } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { LocalAddressScreening } from '../address-screening/adapters/local.address-screening.adapter';
import { decideAsRead, MOVED } from '../testing/address-reviews';
import { fundTokens } from '../testing/fund-tokens';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';
import { ACCOUNT } from '../testing/ledger-under-test';

const ledger = ledgerForEachTest({ booksBalance: true });
afterEach(() => jest.restoreAllMocks());

/** From now on, only this entry of the list names the address. */
const listedUnder = (entryId: string): void => {
  const hit: AddressHit = { list: 'ofac-sdn', entryId, programs: [] };
  jest.spyOn(LocalAddressScreening.prototype, 'screen').mockReturnValue([hit]);
};
const falsePositive = (reviewId: string, staffId: string) => decideAsRead(ledger, reviewId, staffId, 'false-positive');
const entriesOf = async (reviewId: string) =>
  (await ledger.ask(GetAddressReview, { reviewId }))?.hits.map(({ entryId }) => entryId);

describe('A list entry that is removed before it is decided, replaced by another one, and listed again', () => {
  it('holds a withdrawal again after the other entry was cleared', async () => {
    await fundTokens(ledger);
    await eventually(async () => expect((await ledger.balance('eth-base/brlv')).available).toMatch(/^100\./));
    listedUnder('one');
    const token = { asset: 'eth-base/brlv', method: 'token' } as const;
    const { id } = await ledger.withdraw('10', { destinationWalletAddress: LISTED }, token);
    await eventually(async () => expect(await entriesOf(id)).toEqual(['one']));
    listedUnder('two');
    await falsePositive(id, 'first');
    expect(await entriesOf(id)).toEqual(['two']);
    await falsePositive(id, 'first');
    listedUnder('one');
    await falsePositive(id, 'second');
    expect([(await ledger.withdrawal(id))?.state, await entriesOf(id)]).toEqual(['created', ['one']]);
  });

  it('holds any other movement again after the other entry was cleared', async () => {
    const subject: AddressSubject = { kind: 'transfer', id: derivedId('test', 'transfer') };
    const id = addressReviewId(subject);
    const screen = async () =>
      (await ledger.ask(ScreenAddress, { ...MOVED, subject, accountId: ACCOUNT, address: LISTED })).outcome;
    listedUnder('one');
    expect(await screen()).toBe('waits');
    listedUnder('two');
    expect(await screen()).toBe('waits');
    for (const staffId of ['first', 'second']) await falsePositive(id, staffId);
    expect(await screen()).toBe('clear');
    listedUnder('one');
    expect([await screen(), await entriesOf(id)]).toEqual(['waits', ['one']]);
  });
});
