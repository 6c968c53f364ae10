import * as contracts from '@ponte/contracts';
import { eventually } from '@ponte/testing';
import type { OnboardingUnderTest } from '../testing/onboarding-under-test';
import { ANALYST } from '../testing/people';
import { approveAsRead, requestsOf, startWithPartner } from '../testing/requests';

const HOUR_MS = 3_600_000;

let onboarding: OnboardingUnderTest;
let parentId: string;
beforeEach(async () => {
  ({ onboarding, parentId } = await startWithPartner({ dueEveryMs: 20 }));
});
afterEach(() => onboarding.stop());

const { made, until, waiting } = requestsOf(() => ({ onboarding, parentId }));

/** The samples of a metric that are not 0, by their only label. */
const samples = async (name: string): Promise<Record<string, number>> => {
  const values = (await onboarding.engines.metrics.registry.getSingleMetric(name)?.get())?.values ?? [];
  return Object.fromEntries(
    values.filter(({ value }) => value !== 0).map(({ labels, value }) => [Object.values(labels).join(), value]),
  );
};
const open = () => samples('ponte_account_requests_open');
const oldest = () => samples('ponte_account_request_oldest_seconds');

describe('the metrics of account requests', () => {
  it('count a request that waits for staff, with its age, until it is provisioned', async () => {
    expect([await open(), await oldest()]).toEqual([{}, {}]);
    onboarding.vendors.walletsDown = true;
    const { requestId } = await waiting();
    await eventually(async () => expect(await open()).toEqual({ 'manual-review': 1 }));
    onboarding.advance(HOUR_MS);
    const { 'manual-review': age, ...others } = await oldest();
    expect([age, others]).toEqual([expect.any(Number), {}]);
    expect(Math.abs((age ?? 0) - HOUR_MS / 1_000)).toBeLessThan(60);

    await onboarding.ask(contracts.ClaimReview, { requestId, staff: ANALYST, takeOver: false });
    await approveAsRead(onboarding, requestId, ANALYST);
    await until(requestId, 'provisioning-failed');
    await eventually(async () => expect(await open()).toEqual({ 'provisioning-failed': 1 }));
    expect(await oldest()).toEqual({});

    onboarding.vendors.walletsDown = false;
    onboarding.advance(HOUR_MS);
    await until(requestId, 'active');
    await eventually(async () => expect(await open()).toEqual({}));
  });

  it('show a screening that does not end', async () => {
    onboarding.vendors.screening.down = true;
    const { requestId } = await made();
    await until(requestId, 'screening');
    onboarding.advance(HOUR_MS);
    await eventually(async () => expect(await open()).toEqual({ screening: 1 }));
    expect((await oldest())['screening']).toBeGreaterThan(HOUR_MS / 1_000 - 60);
  });
});
