import { codeOf } from '../testing/client';
import { SUITE_MS } from '../testing/program';
import type { Asked } from './testing/review-under-test';
import { ReviewUnderTest } from './testing/review-under-test';

jest.setTimeout(SUITE_MS);

let review: ReviewUnderTest;
beforeAll(async () => {
  review = await ReviewUnderTest.start();
});
afterAll(() => review.close());

const decide = (id: string, decision: string) =>
  review.partner.send<{ 'account-request': Asked; error: { code: string } }>(
    'POST',
    `/api/v1/sandbox/account-requests/${id}/decision`,
    { decision },
  );

describe('a sandbox decision on a request that is already decided', () => {
  it.each([
    ['approve', 'reject', 'active'],
    ['reject', 'approve', 'rejected'],
  ])('is answered again when it is the same (%s), and refused when it is another (%s)', async (same, other, status) => {
    const { id } = await review.person();
    expect(codeOf(await decide(id, same))).toBe('200');
    await review.stands(id, (one) => one.status === status);
    const again = await decide(id, same);
    expect([codeOf(again), again.body['account-request']]).toMatchObject(['200', { id, status }]);
    expect(codeOf(await decide(id, other))).toBe('422 account-request-not-pending');
    expect(await review.stands(id, () => true)).toMatchObject({ status });
  });
});
