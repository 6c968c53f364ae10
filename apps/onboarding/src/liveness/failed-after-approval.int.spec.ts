import * as contracts from '@ponte/contracts';
import { eventually } from '@ponte/testing';
import { findingsUnderTest } from '../testing/findings';
import { ANALYST, APPROVER, OTHER_APPROVER } from '../testing/people';
import type { WithPartner } from '../testing/requests';
import { approveAsRead, requestsOf, startWithPartner } from '../testing/requests';

let current: WithPartner;
beforeEach(async () => {
  current = await startWithPartner({ environment: 'production', dueEveryMs: 50, screenAgainEveryMs: 30 });
});
afterEach(() => current.onboarding.stop());

const { waiting, until } = requestsOf(() => current);
const { findings, findingOf, judge, standing } = findingsUnderTest(() => current);
const SESSION = { provider: 'provider-1', id: 'session-late' };

/** `agoMs`: how long ago the provider decided. */
const report = async (outcome: 'passed' | 'failed', providerEventId: string, agoMs = 0) =>
  current.onboarding.ask(contracts.RecordLiveness, {
    ...{ provider: SESSION.provider, providerEventId, outcome },
    sessionId: await contracts.sealRequest(current.onboarding.engines.personalData, { secret: SESSION.id }),
    decidedAt: new Date(current.onboarding.engines.clock.now() - agoMs).toISOString(),
  });

/** An account whose request was approved because its session had passed. */
async function approved() {
  const { onboarding } = current;
  const request = await waiting({ liveness: SESSION });
  await approveAsRead(onboarding, request.requestId, APPROVER);
  await until(request.requestId, 'active');
  onboarding.advance(1_000);
  return request;
}

describe('A liveness session that fails after its request was approved', () => {
  it('opens one finding about the account, however often it is reported, and one that passes opens none', async () => {
    const { requestId, accountId } = await approved();
    await report('passed', 'event-2');
    expect(await findings({ accountId })).toEqual([]);
    await report('failed', 'event-3');
    await report('failed', 'event-3');
    const finding = await findingOf(accountId, { status: 'open', version: 1, person: 'holder' });
    expect(finding.hit).toMatchObject({ list: 'liveness', entryId: requestId });
    const view = { findingId: finding.id, staff: ANALYST, purpose: 'review', note: null } as const;
    const opened = await current.onboarding.ask(contracts.OpenScreeningFinding, view);
    expect(await current.onboarding.engines.personalData.open(opened?.hit.match as never)).toContain('provider-1');
    expect(JSON.stringify([await current.onboarding.events(), current.onboarding.log])).not.toContain(SESSION.id);
  });

  it('freezes the account for suspected fraud when staff find that it is not the person', async () => {
    const { accountId } = await approved();
    await report('failed', 'event-3');
    await judge(await findingOf(accountId, { status: 'open' }), 'true-match');
    expect((await standing(accountId))?.pending).toMatchObject({ step: 'freeze', reason: 'fraud-suspected' });
    await current.onboarding.ask(contracts.ConfirmAccountFreeze, { accountId, staff: OTHER_APPROVER, request: 1 });
    await findingOf(accountId, { status: 'settled' });
  });

  it('is forgotten when two approvers clear it, and the next screening of the lists does not open it again', async () => {
    const { accountId } = await approved();
    await report('failed', 'event-3');
    const once = await judge(await findingOf(accountId, { status: 'open' }), 'false-positive');
    await judge(once, 'false-positive', OTHER_APPROVER);
    await report('failed', 'event-3');
    await eventually(() => findingOf(accountId, { status: 'cleared', version: 3 }));
    await report('failed', 'event-4');
    await findingOf(accountId, { status: 'open', version: 4 });
  });

  it('opens none if both approvers knew of it, although a later result had been known already', async () => {
    const { onboarding } = current;
    const { requestId, accountId } = await waiting({ liveness: SESSION });
    await report('failed', 'event-1', 60_000);
    await approveAsRead(onboarding, requestId, APPROVER);
    await approveAsRead(onboarding, requestId, OTHER_APPROVER);
    await until(requestId, 'active');
    await report('failed', 'event-1', 60_000);
    expect(await findings({ accountId })).toEqual([]);
    onboarding.advance(1_000);
    await report('failed', 'event-3');
    await findingOf(accountId, { status: 'open', version: 1 });
  });
});
