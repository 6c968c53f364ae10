import * as contracts from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { eventually } from '@ponte/testing';
import { OnboardingUnderTest } from './testing/onboarding-under-test';
import { cpfOf, openParent, post, requestFor } from './testing/people';

/** A CPF that the sandbox approves automatically. */
const CPF = cpfOf(900_123_456);

const TEN_MINUTES = 10 * 60_000;

async function until(test: OnboardingUnderTest, parentId: string, requestId: string, status: string): Promise<void> {
  await eventually(async () => {
    expect((await test.ask(contracts.GetAccountRequest, { parentId, requestId }))?.status).toBe(status);
  });
}

const of = (events: readonly Recorded[], ...types: string[]): Recorded[] =>
  events.filter(({ type }) => types.includes(type));

describe('Provisioning', () => {
  it('reports a service that is down, and is retried by the timer until the account works', async () => {
    const test = await OnboardingUnderTest.start({ dueEveryMs: 20 });
    const parentId = await openParent(test);
    test.vendors.walletsDown = true;
    const {
      request: { requestId },
    } = await post(test, parentId, await requestFor(test, parentId, CPF));
    await until(test, parentId, requestId, 'provisioning-failed');
    expect(await test.ask(contracts.GetAccountRequest, { parentId, requestId })).toMatchObject({
      failure: { code: 'chain-unavailable', retryable: true },
      requirements: { pending: ['provisioning'] },
    });
    test.advance(20_000);
    await eventually(async () => expect(of(await test.events(), 'ProvisioningFailed')).toHaveLength(2));
    test.vendors.walletsDown = false;
    test.advance(TEN_MINUTES);
    await until(test, parentId, requestId, 'active');
    expect(of(await test.events(), 'AccountOpened')).toHaveLength(2);
    await test.stop();
  });
});

describe('Screening', () => {
  it('is retried after the vendor was unavailable, and is left to staff if a provider does not decide within a day', async () => {
    const test = await OnboardingUnderTest.start({ dueEveryMs: 20 });
    const parentId = await openParent(test);
    const stageOf = async (requestId: string) =>
      (await test.ask(contracts.GetAccountRequest, { parentId, requestId }))?.reviewStage;
    test.vendors.screening.down = true;
    test.vendors.liveness.outcome = 'pending';
    const request = await requestFor(test, parentId, cpfOf(123_456_789));
    const {
      request: { requestId },
    } = await post(test, parentId, request);
    await eventually(async () => expect(await stageOf(requestId)).toBe('screening'));
    test.vendors.screening.down = false;
    test.advance(61_000);
    await eventually(async () => expect(of(await test.events(), 'ScreeningRecorded')).toHaveLength(1));
    expect(await stageOf(requestId)).toBe('screening');

    const say = async (outcome: 'passed' | 'failed' | 'pending', at: string, id: string = outcome) =>
      test.ask(contracts.RecordLiveness, {
        provider: 'provider-1',
        sessionId: await contracts.sealRequest(test.engines.personalData, { secret: request.liveness.id }),
        providerEventId: id,
        outcome,
        decidedAt: at,
      });
    expect(await say('pending', '2026-11-21T10:00:00.000Z', 'pending')).toEqual({ known: true });
    expect(await stageOf(requestId)).toBe('screening');
    expect(await say('passed', '2026-11-21T10:00:01.000Z')).toEqual({ known: true });
    await eventually(async () => expect(await stageOf(requestId)).toBe('manual-review'));
    // Repeated and late notices change nothing, except that the first failure is recorded even if it is late, and that
    // the latest result by the provider's own time is kept.
    await say('passed', '2026-11-21T10:00:01.000Z');
    await say('failed', '2026-11-21T09:59:00.000Z');
    await say('pending', '2026-11-21T10:00:02.000Z', 'later');
    expect(
      of(await test.events(), 'LivenessRecorded').map(({ data }) => (data as { outcome: string }).outcome),
    ).toEqual(['pending', 'passed', 'failed']);
    await say('failed', '2026-11-21T10:00:05.000Z', 'failed again');
    expect(of(await test.events(), 'LivenessRecorded')).toHaveLength(4);
    expect(
      await test.ask(contracts.RecordLiveness, {
        provider: 'provider-2',
        sessionId: await contracts.sealRequest(test.engines.personalData, { secret: 'unknown' }),
        providerEventId: 'x',
        outcome: 'passed',
        decidedAt: '2026-11-21T10:00:00.000Z',
      }),
    ).toEqual({ known: false });

    const slow = (await post(test, parentId, await requestFor(test, parentId, cpfOf(223_456_789)))).request.requestId;
    await eventually(async () => expect(await stageOf(slow)).toBe('screening'));
    test.advance(25 * 3_600_000);
    await eventually(async () => expect(await stageOf(slow)).toBe('manual-review'));
    await test.stop();
  });

  it('lets a request expire if information is missing for 30 days, and the person may apply again', async () => {
    const test = await OnboardingUnderTest.start({ dueEveryMs: 20 });
    const parentId = await openParent(test);
    const request = await requestFor(test, parentId, cpfOf(902_000_777));
    const {
      request: { requestId },
    } = await post(test, parentId, request);
    await eventually(async () =>
      expect((await test.ask(contracts.GetAccountRequest, { parentId, requestId }))?.reviewStage).toBe(
        'information-requested',
      ),
    );
    test.advance(29 * 86_400_000);
    await eventually(async () =>
      expect((await test.ask(contracts.GetAccountRequest, { parentId, requestId }))?.status).toBe('pending'),
    );
    test.advance(86_400_000 + 1_000);
    await until(test, parentId, requestId, 'expired');
    expect(await test.ask(contracts.GetAccountRequest, { parentId, requestId })).toMatchObject({
      reason: 'expired',
      requirements: { issues: ['expired'] },
    });
    expect(
      (await post(test, parentId, { ...request, document: (await requestFor(test, parentId, cpfOf(1))).document }))
        .created,
    ).toBe(true);
    await test.stop();
  });
});
