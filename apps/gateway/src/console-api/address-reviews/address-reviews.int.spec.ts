import type { AddressReviewRecord } from '@ponte/contracts';
import { DecideAddressReview, GetAddressReview, SearchAddressReviews, openVerdictReason } from '@ponte/contracts';
import type { Sealed } from '@ponte/event-sourcing';
import { freshId } from '@ponte/testing';
import { SAMPLE } from '../../api/samples';
import { as, asked, gateway, useSignedInStaff } from '../testing/staff-requests';

useSignedInStaff();

const TEXT = 'Ticket of Ana Secret';
const reviewed = (...reasons: readonly Sealed[]): AddressReviewRecord => ({
  ...{ id: SAMPLE.withdrawalId, subject: { kind: 'transfer', id: SAMPLE.withdrawalId }, accountId: SAMPLE.accountId },
  ...{ address: SAMPLE.wallet, chain: 'eth-base', outcome: 'waits', hits: [], heldAt: SAMPLE.time },
  verdicts: reasons.map((reason) => ({
    ...{ staffId: SAMPLE.parentId, verdict: 'false-positive', reason, reviewedAt: SAMPLE.time },
  })),
});
interface Shown {
  readonly verdicts: readonly { readonly reason: string }[];
}
const reasonsOf = ({ verdicts }: Shown) => verdicts.map(({ reason }) => reason);

describe('The reason of a verdict on an address', () => {
  it('is sealed for the ledger, and the answer shows it in clear', async () => {
    const { personalData } = gateway.engines;
    const reason = await personalData.seal(freshId(), TEXT);
    gateway.bus.on(DecideAddressReview, () => reviewed(reason));
    const answer = await as('approver', `/staff/v1/address-reviews/${SAMPLE.withdrawalId}/verdict`, {
      ...{ version: SAMPLE.quoteId, verdict: 'false-positive', reason: TEXT },
    });
    expect([answer.statusCode, reasonsOf(answer.json<{ 'address-review': Shown }>()['address-review'])]).toEqual([
      200,
      [TEXT],
    ]);
    const sent = asked(DecideAddressReview)?.payload as { reason: Sealed; version: string };
    expect(sent.version).toBe(SAMPLE.quoteId);
    expect(JSON.stringify(sent)).not.toContain('Secret');
    expect(await openVerdictReason(personalData, sent.reason)).toBe(TEXT);
  });

  it('is shown in every response, also if that of another verdict is damaged or erased', async () => {
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
    const one = await as('approver', `/staff/v1/address-reviews/${record.id}`);
    const list = await as('approver', '/staff/v1/address-reviews?verdict=false-positive');
    const listed = list.json<{ 'address-reviews': readonly Shown[] }>()['address-reviews'];
    for (const shown of [one.json<{ 'address-review': Shown }>()['address-review'], ...listed])
      expect(reasonsOf(shown)).toEqual([TEXT, '[unavailable]', '[erased]']);
    expect(listed).toHaveLength(1);
  });
});
