import type { AddressReviewEvent, AddressVerdict } from '@ponte/contracts';
import { AddressReviewed, AddressReviewOpened, addressReviewVersion } from '@ponte/contracts';
import { scenario } from '@ponte/event-sourcing';
import type { Refusal } from '@ponte/kernel';
import type { AddressReviewCommand } from './address-review.decider';
import { addressReview } from './address-review.decider';

const AT = '2026-11-20T12:00:00.000Z';
const about = { reviewId: 'r', subject: { kind: 'transfer', id: 't' }, accountId: 'a' } as const;
const hit = (entryId: string) => ({ list: 'ofac-sdn', entryId, programs: ['CYBER2'] });
const opened = (...entries: string[]) =>
  new AddressReviewOpened({ ...about, address: '0x1', chain: 'eth-base', hits: entries.map(hit), openedAt: AT });
const falsePositive = (staffId: string) =>
  new AddressReviewed({
    ...about,
    verdict: 'false-positive',
    reason: 'sealed:v1:h:x',
    staffId,
    outcome: 'waits',
    reviewedAt: AT,
  });

const given = (...past: AddressReviewEvent[]) => {
  const on = scenario(addressReview).given(...past);
  const state = on.state();
  if (state.status === 'absent') throw new Error('the review was not opened');
  const refusal = (command: AddressReviewCommand) => on.when(command).refusal() as Refusal;
  return {
    version: addressReviewVersion(state),
    events: (command: AddressReviewCommand) => on.when(command).events(),
    code: (command: AddressReviewCommand) => refusal(command).code,
    message: (command: AddressReviewCommand) => refusal(command).message,
  };
};
const decide = (
  staffId: string,
  version: string,
  verdict: AddressVerdict = 'false-positive',
): AddressReviewCommand => ({
  kind: 'decide',
  version,
  verdict,
  reason: 'sealed:v1:h:x',
  staffId,
  now: AT,
});

describe('A verdict on an address names what was read', () => {
  it('so it does not apply to hits by which the review was opened again', () => {
    const read = given(opened('1'), falsePositive('one')).version;
    const again = given(opened('1'), falsePositive('one'), opened('1', '2'));
    for (const verdict of ['false-positive', 'true-match'] as const)
      expect(again.code(decide('two', read, verdict))).toBe('review-changed');
    expect(again.message(decide('two', read))).toContain('2 hits and 0 verdicts');
    expect(again.events(decide('two', again.version))).toMatchObject([{ data: { outcome: 'waits' } }]);
  });

  it('so the second of two approvers has read the verdict of the first, and does not decide unknowingly', () => {
    const read = given(opened('1')).version;
    const half = given(opened('1'), falsePositive('one'));
    expect(half.code(decide('two', read))).toBe('review-changed');
    expect(half.message(decide('two', read))).toContain('1 hit and 1 verdict now');
    expect(half.events(decide('two', half.version))).toMatchObject([{ data: { outcome: 'clear' } }]);
    expect(half.code(decide('one', read))).toBe('second-approver-required');
  });
});
