import type { AddressReviewRecord } from '@ponte/contracts';
import {
  DecideAddressReview,
  GetAddressReview,
  ListAddressReviews,
  OpenAccountStanding,
  SearchAddressReviews,
  openVerdictReason,
} from '@ponte/contracts';
import type { Sealed } from '@ponte/event-sourcing';
import { refuse } from '@ponte/kernel';
import { freshId } from '@ponte/testing';
import { SAMPLE } from '../../api/samples';
import { STAFF } from '../../testing/staff-members';
import { as, lastRequest, gateway, useSignedInStaff } from '../testing/staff-requests';

useSignedInStaff();

const TEXT = 'Ticket of Ana Secret';
const reviewed = (...reasons: readonly Sealed[]): AddressReviewRecord => ({
  ...{ id: SAMPLE.withdrawalId, subject: { kind: 'transfer', id: SAMPLE.withdrawalId }, accountId: SAMPLE.accountId },
  ...{
    address: SAMPLE.wallet,
    chain: 'eth-base',
    asset: 'eth-base/brlv',
    amount: '12.5',
    outcome: 'waits',
    hits: [],
    heldAt: SAMPLE.time,
  },
  verdicts: reasons.map((reason) => ({
    ...{ staffId: SAMPLE.parentId, verdict: 'false-positive', reason, reviewedAt: SAMPLE.time },
  })),
});
interface Shown {
  readonly verdicts: readonly { readonly reason?: string }[];
}
const reasonsOf = ({ verdicts }: Shown) => verdicts.map(({ reason }) => reason);

describe('The list of address reviews', () => {
  const list = async (query: string) => {
    const answer = await as('operator', `/staff/v1/address-reviews${query}`);
    return [answer.statusCode, answer.json<{ 'address-reviews': readonly object[] }>()['address-reviews']];
  };

  it('shows what waits, with its amount, and filters it by what is moved', async () => {
    const waiting = [200, [expect.objectContaining({ chain: 'eth-base', asset: 'eth-base/brlv', amount: '12.5' })]];
    expect(await list('')).toEqual(waiting);
    expect(lastRequest(ListAddressReviews)?.payload).toEqual({ subject: null, chain: null, asset: null });
    expect(await list('?subject=deposit&chain=eth-base&asset=eth-base/brlv')).toEqual(waiting);
    const movement = { subject: 'deposit', chain: 'eth-base', asset: 'eth-base/brlv' };
    expect(lastRequest(ListAddressReviews)?.payload).toEqual(movement);
    expect(lastRequest(SearchAddressReviews)).toBeUndefined();
    await list('?subject=deposit&chain=eth-base&asset=eth-base/brlv&verdict=true-match');
    expect(lastRequest(SearchAddressReviews)?.payload).toMatchObject({
      filters: { accountId: null, verdict: 'true-match', ...movement },
    });
    await list('?verdict=none&limit=50');
    expect(lastRequest(SearchAddressReviews)?.payload).toMatchObject({ filters: { verdict: 'none' } });
    for (const wrong of ['?verdict=clear', '?chain=solana', '?asset=brlv', '?subject=account'])
      expect((await as('operator', `/staff/v1/address-reviews${wrong}`)).statusCode).toBe(400);
  });
});

describe('The reason of a verdict on an address', () => {
  it('is sealed for the ledger, and the response does not repeat it', async () => {
    const { personalData } = gateway.engines;
    const reason = await personalData.seal(freshId(), TEXT);
    gateway.bus.on(DecideAddressReview, () => reviewed(reason));
    const answer = await as('approver', `/staff/v1/address-reviews/${SAMPLE.withdrawalId}/verdict`, {
      ...{ version: SAMPLE.quoteId, verdict: 'false-positive', reason: TEXT },
    });
    expect([answer.statusCode, reasonsOf(answer.json<{ 'address-review': Shown }>()['address-review'])]).toEqual([
      200,
      [undefined],
    ]);
    const sent = lastRequest(DecideAddressReview)?.payload as { reason: Sealed; version: string };
    expect(sent.version).toBe(SAMPLE.quoteId);
    expect(JSON.stringify(sent)).not.toContain('Secret');
    expect(await openVerdictReason(personalData, sent.reason)).toBe(TEXT);
  });

  it('is in no list, and is shown once the view is recorded, even if another one is damaged or erased', async () => {
    const { personalData } = gateway.engines;
    const erased = freshId();
    const record = reviewed(
      await personalData.seal(freshId(), TEXT),
      'sealed:v1:x' as Sealed,
      await personalData.seal(erased, TEXT),
    );
    await personalData.erase(erased);
    gateway.bus.on(GetAddressReview, () => record);
    gateway.bus.on(SearchAddressReviews, () => ({ items: [record], next: null }));
    const path = `/staff/v1/address-reviews/${record.id}`;
    const list = await as('approver', '/staff/v1/address-reviews?verdict=false-positive');
    const listed = list.json<{ 'address-reviews': readonly Shown[] }>()['address-reviews'];
    const unopened = (await as('approver', path)).json<{ 'address-review': Shown }>()['address-review'];
    expect(lastRequest(OpenAccountStanding)).toBeUndefined();
    for (const shown of [unopened, ...listed]) expect(reasonsOf(shown)).toEqual([undefined, undefined, undefined]);
    const opened = (await as('approver', `${path}?purpose=review`)).json<{ 'address-review': Shown }>();
    expect(reasonsOf(opened['address-review'])).toEqual([TEXT, '[unavailable]', '[erased]']);
    expect(lastRequest(OpenAccountStanding)?.payload).toMatchObject({
      ...{
        accountId: SAMPLE.accountId,
        staff: { staffId: STAFF.approver.staffId },
        purpose: 'review',
        showsReasons: true,
      },
    });
    gateway.bus.on(OpenAccountStanding, () => refuse('role-not-allowed', 'not for operators'));
    const refused = await as('operator', `${path}?purpose=review`);
    expect([refused.statusCode, refused.body.includes(TEXT)]).toEqual([403, false]);
  });
});
