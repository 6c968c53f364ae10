import * as contracts from '@ponte/contracts';
import { Unavailable } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import type { LivenessResult } from '../liveness/liveness.port';
import { OnboardingUnderTest } from '../testing/onboarding-under-test';
import { cpfOf, openParent, post, postReliance, requestFor } from '../testing/people';

const HOUR = 3_600_000;

/** A CPF that the sandbox approves automatically. */
const APPROVED = cpfOf(900_123_456);

let onboarding: OnboardingUnderTest;
let parentId: string;
let release: (() => void)[];

beforeEach(async () => {
  release = [];
  onboarding = await OnboardingUnderTest.start({ dueEveryMs: 20 });
  parentId = await openParent(onboarding);
});
afterEach(async () => {
  onboarding.vendors.liveness.resultOf = unavailable;
  for (const one of release) one();
  await onboarding.stop();
});

const unavailable = async (): Promise<never> => {
  throw new Unavailable('service-unavailable');
};

/** A vendor that accepts connections and does not answer. */
const hangs = (): Promise<LivenessResult> =>
  new Promise((_resolve, reject) => {
    release.push(() => reject(new Unavailable('service-unavailable')));
  });

const statusOf = async (parent: string, requestId: string) =>
  (await onboarding.ask(contracts.GetAccountRequest, { parentId: parent, requestId }))?.status;

const stageOf = async (requestId: string) =>
  (await onboarding.ask(contracts.GetAccountRequest, { parentId, requestId }))?.reviewStage;

const countOf = async (type: string): Promise<number> =>
  (await onboarding.events()).filter((event) => event.type === type).length;

/** Posts so many requests that wait for their liveness sessions. */
async function postWaiting(count: number): Promise<string[]> {
  const base = await requestFor(onboarding, parentId, cpfOf(123_456_789));
  const ids: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const identifier = { value: cpfOf(200_000_000 + at), country: 'BRA' };
    const liveness = { id: `session-${at}`, provider: 'provider-1' };
    ids.push((await post(onboarding, parentId, { ...base, identifier, liveness })).request.requestId);
  }
  return ids;
}

describe('A liveness provider that cannot be asked', () => {
  it.each([
    ['refuses', unavailable],
    ['does not answer', hangs],
  ])('leaves the decision to two approvers after a day if it %s', async (_what, resultOf) => {
    onboarding.vendors.liveness.resultOf = resultOf;
    const [requestId = ''] = await postWaiting(1);
    await eventually(async () => expect(await countOf('ScreeningRecorded')).toBe(1));
    onboarding.advance(23 * HOUR);
    expect(await stageOf(requestId)).toBe('screening');
    onboarding.advance(2 * HOUR);
    await eventually(async () => {
      for (const one of release.splice(0)) one();
      onboarding.advance(HOUR);
      expect(await stageOf(requestId)).toBe('manual-review');
    });
    const review = (await onboarding.events()).find(({ type }) => type === 'ReviewRequested');
    expect(review?.data).toMatchObject({ causes: ['liveness-pending', 'four-eyes'], fourEyes: true });
    expect(await countOf('LivenessSessionNamed')).toBe(1);
  });

  it('does not hold up the accounts of others, new or to be provisioned again', async () => {
    const [other, reliance] = [await openParent(onboarding), await openParent(onboarding, 'reliance')];
    onboarding.vendors.walletsDown = true;
    const failed = (await post(onboarding, other, await requestFor(onboarding, other, APPROVED))).request.requestId;
    await eventually(async () => expect(await statusOf(other, failed)).toBe('provisioning-failed'));
    onboarding.vendors.liveness.resultOf = hangs;
    const waiting = await postWaiting(80);
    onboarding.vendors.walletsDown = false;
    const added = (await postReliance(onboarding, reliance, cpfOf(555_456_789))).request.requestId;
    await eventually(async () => expect(await statusOf(reliance, added)).toBe('active'));
    onboarding.advance(HOUR);
    await eventually(async () => expect(await statusOf(other, failed)).toBe('active'));
    // Once it answers again, all of them are decided.
    onboarding.vendors.liveness.resultOf = Object.getPrototypeOf(onboarding.vendors.liveness).resultOf;
    await eventually(async () => {
      for (const one of release.splice(0)) one();
      onboarding.advance(60_000);
      for (const requestId of waiting) expect(await stageOf(requestId)).toBe('manual-review');
    });
  });
});
