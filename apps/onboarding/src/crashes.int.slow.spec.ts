import * as contracts from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { eventually, MemoryEventStore } from '@ponte/testing';
import { OnboardingUnderTest } from './testing/onboarding-under-test';
import { bySelf, cpfOf, openParent, post, requestFor } from './testing/people';

const WALLETS = ['0x00000000000000000000000000000000000000a1', '0x00000000000000000000000000000000000000a2'];
/** Approved by itself in the sandbox. */
const CPF = cpfOf(900_123_456);
const TEN_MINUTES = 10 * 60_000;

async function until(test: OnboardingUnderTest, parentId: string, requestId: string, status: string): Promise<void> {
  await eventually(async () => {
    expect((await test.ask(contracts.GetAccountRequest, { parentId, requestId }))?.status).toBe(status);
  });
}

const of = (events: readonly Recorded[], ...types: string[]): Recorded[] =>
  events.filter(({ type }) => types.includes(type));
/** What belongs to the flow: how often these are appended is what a crash may come after. */
const FLOW = /^(reservation|accountRequest|account|person|evidenceFile|livenessSession)-/;

async function prepared(store: MemoryEventStore) {
  const test = await OnboardingUnderTest.start({ store, dueEveryMs: 20 });
  const parentId = await openParent(test);
  const request = await requestFor(test, parentId, CPF, { externalWallets: WALLETS.map(bySelf) });
  await eventually(async () => expect(of(await test.events(), 'PersonMentioned')).toHaveLength(1));
  return { test, parentId, request };
}

/** How many appends an undisturbed run makes. */
async function countAppends(): Promise<number> {
  const store = new MemoryEventStore();
  const { test, parentId, request } = await prepared(store);
  const before = store.log.length;
  let appends = 0;
  const append = store.append.bind(store);
  store.append = (stream, expected, events) => {
    if (FLOW.test(stream)) appends += 1;
    return append(stream, expected, events);
  };
  const {
    request: { requestId },
  } = await post(test, parentId, request);
  await until(test, parentId, requestId, 'active');
  await eventually(async () =>
    expect(of((await test.events()).slice(before), 'PersonMentioned', 'EvidenceFileReferenced')).toHaveLength(3),
  );
  await test.stop();
  return appends;
}

describe('a crash after any append of creation and provisioning', () => {
  it('ends in one active account when the request is posted again', async () => {
    const appends = await countAppends();
    expect(appends).toBeGreaterThan(12);
    for (let crash = 1; crash <= appends; crash += 1) {
      const store = new MemoryEventStore();
      const { test, parentId, request } = await prepared(store);
      let seen = 0;
      const { struck } = store.faults.next({
        kind: 'crash-after-append',
        match: (stream) => FLOW.test(stream) && (seen += 1) === crash,
      });
      const posted = post(test, parentId, request).catch(() => undefined);
      await Promise.race([
        struck,
        eventually(async () => {
          if (seen >= crash) return;
          throw new Error(`only ${seen} of ${crash} appends`);
        }),
      ]);
      await posted;
      await test.stop(true).catch(() => undefined);

      const reopened = new MemoryEventStore({ log: store.log });
      const next = await OnboardingUnderTest.start({
        store: reopened,
        folder: test.folder,
        vendors: test.vendors,
        dueEveryMs: 20,
      });
      next.advance(2 * 60_000);
      const {
        request: { requestId },
      } = await post(next, parentId, request);
      await until(next, parentId, requestId, 'active');
      const events = await next.events();
      expect(of(events, 'AccountRequested')).toHaveLength(1);
      expect(of(events, 'AccountOpened')).toHaveLength(2);
      expect(
        of(events, 'WalletWhitelisted')
          .map(({ data }) => (data as { address: string }).address)
          .sort(),
      ).toEqual(WALLETS);
      expect(of(events, 'ProvisioningStepDone')).toHaveLength(3);
      await next.stop();
    }
  }, 120_000);

  it('sweeps what was reserved for a request that never came, and the late post of it cannot come between', async () => {
    const store = new MemoryEventStore();
    const { test, parentId, request } = await prepared(store);
    const held = store.faults.next({
      kind: 'delay',
      match: (_stream, events) => events.some(({ type }) => type === 'AccountRequested'),
    });
    const late = post(test, parentId, request).catch((error: unknown) => error);
    await held.struck;
    store.faults.next({ kind: 'crash-after-append' });
    held.release();
    await late;
    await test.stop(true).catch(() => undefined);

    // The log as it was before the request was appended: the process died a moment earlier.
    const earlier = new MemoryEventStore();
    for (const { stream, revision, id, type, version, data, meta } of store.log.slice(0, store.log.length)) {
      if (!stream.startsWith('accountRequest-'))
        earlier.log.append(stream, revision - 1, [{ id, type, version, data, meta }]);
    }
    const next = await OnboardingUnderTest.start({ store: earlier, vendors: test.vendors, dueEveryMs: 20 });
    next.advance(TEN_MINUTES + 1_000);
    await eventually(async () => expect(of(await next.events(), 'ReservationFreed')).toHaveLength(3));
    const events = await next.events();
    expect(of(events, 'AccountRequestAbandoned')).toHaveLength(1);
    expect(of(events, 'AccountRequested')).toHaveLength(0);
    await next.stop();
  });
});

describe('provisioning', () => {
  it('waits for what is down, says so, and is tried again by the timer until the account works', async () => {
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

describe('screening', () => {
  it('is asked again when the vendor was away, and leaves to people what a provider does not decide within a day', async () => {
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
    // Repeated and late notices change nothing, except that the latest result by the provider's own time is kept.
    await say('passed', '2026-11-21T10:00:01.000Z');
    await say('failed', '2026-11-21T09:59:00.000Z');
    await say('pending', '2026-11-21T10:00:02.000Z', 'later');
    expect(
      of(await test.events(), 'LivenessRecorded').map(({ data }) => (data as { outcome: string }).outcome),
    ).toEqual(['pending', 'passed']);
    await say('failed', '2026-11-21T10:00:05.000Z');
    expect(of(await test.events(), 'LivenessRecorded')).toHaveLength(3);
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

  it('expires what is not answered within 30 days, and the person may ask again', async () => {
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
