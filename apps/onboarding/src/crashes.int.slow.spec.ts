import * as contracts from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { eventually, MemoryEventStore } from '@ponte/testing';
import { OnboardingUnderTest } from './testing/onboarding-under-test';
import { bySelf, cpfOf, openParent, post, requestFor } from './testing/people';

const WALLETS = ['0x00000000000000000000000000000000000000a1', '0x00000000000000000000000000000000000000a2'];

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

/** The streams of the flow. The test crashes once after each append to them. */
const FLOW = /^(reservation|accountRequest|account|person|evidenceFile|livenessSession)-/;

async function prepared(store: MemoryEventStore) {
  const test = await OnboardingUnderTest.start({ store, dueEveryMs: 20 });
  const parentId = await openParent(test);
  const request = await requestFor(test, parentId, CPF, { externalWallets: WALLETS.map(bySelf) });
  await eventually(async () => expect(of(await test.events(), 'PersonMentioned')).toHaveLength(1));
  return { test, parentId, request };
}

/** The number of appends in an undisturbed run. */
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

describe('After a crash at any append, the creation and provisioning of an account', () => {
  it('end in one active account when the request is posted again', async () => {
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
      const reached = eventually(async () => {
        if (seen < crash) throw new Error(`only ${seen} of ${crash} appends`);
      });
      // Timers can add appends that this run does not have. Then it has ended, and the crash comes after its last one.
      const hasEnded = async (error: unknown): Promise<void> => {
        const made = await posted;
        if (made === undefined) throw error;
        await until(test, parentId, made.request.requestId, 'active');
      };
      await Promise.race([struck, reached.catch(hasEnded)]);
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
  });

  it('free what was reserved for a request that was never created, and a late request cannot interfere', async () => {
    const store = new MemoryEventStore();
    const { test, parentId, request } = await prepared(store);
    const fault = store.faults.next({
      kind: 'delay',
      match: (_stream, events) => events.some(({ type }) => type === 'AccountRequested'),
    });
    const late = post(test, parentId, request).catch((error: unknown) => error);
    await fault.struck;
    store.faults.next({ kind: 'crash-after-append' });
    fault.release();
    await late;
    await test.stop(true).catch(() => undefined);

    // The log from before the request was appended, as if the process had died a moment earlier.
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
