import * as contracts from '@ponte/contracts';
import { APPROVER } from '../testing/people';
import type { WithPartner } from '../testing/requests';
import { approveAsRead, requestsOf, startWithPartner } from '../testing/requests';

let current: WithPartner;
beforeEach(async () => {
  current = await startWithPartner({ environment: 'production', dueEveryMs: 50 });
});
afterEach(() => current.onboarding.stop());

const { waiting, until } = requestsOf(() => current);
const LINE = 'a liveness session failed after its request was approved';

it('a session that fails after its request was approved is reported to compliance, and one that passes is not', async () => {
  const { onboarding } = current;
  const session = { provider: 'provider-1', id: 'session-late' };
  const { requestId, accountId } = await waiting({ liveness: session });
  const report = async (outcome: 'passed' | 'failed', providerEventId: string) =>
    onboarding.ask(contracts.RecordLiveness, {
      ...{ provider: session.provider, providerEventId, outcome },
      sessionId: await contracts.sealRequest(onboarding.engines.personalData, { secret: session.id }),
      decidedAt: new Date(onboarding.engines.clock.now()).toISOString(),
    });
  const lines = () => onboarding.log.filter((line) => line.includes(LINE));
  await approveAsRead(onboarding, requestId, APPROVER);
  await until(requestId, 'active');
  await report('passed', 'event-2');
  expect(lines()).toEqual([]);
  onboarding.advance(1_000);
  await report('failed', 'event-3');
  expect(lines().map((line) => JSON.parse(line) as unknown)).toMatchObject([{ level: 50, requestId, accountId }]);
  expect(lines().join()).not.toContain(session.id);
});
