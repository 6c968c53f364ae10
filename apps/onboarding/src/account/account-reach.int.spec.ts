import { randomUUID } from 'node:crypto';
import { GetAccountParent } from '@ponte/contracts';
import type { EventStore } from '@ponte/event-sourcing';
import { MemoryEventStore } from '@ponte/testing';
import { OnboardingUnderTest } from '../testing/onboarding-under-test';
import { cpfOf, openParent, post, requestFor } from '../testing/people';

const ROUNDS = 200;

let onboarding: OnboardingUnderTest;
let reads = 0;
beforeAll(async () => {
  const store: EventStore = new MemoryEventStore();
  const { read } = store;
  store.read = (...parameters: Parameters<EventStore['read']>) => {
    reads += 1;
    return read.apply(store, parameters);
  };
  onboarding = await OnboardingUnderTest.start({ store });
});
afterAll(() => onboarding.stop());

const parentOf = (accountId: string) => onboarding.ask(GetAccountParent, { accountId });

/** The number of store reads, and the shortest time in milliseconds, on which other work has the least influence. */
async function cost(ids: readonly string[]): Promise<{ reads: number; shortest: number }> {
  const before = reads;
  const times: number[] = [];
  for (const id of ids) {
    const began = performance.now();
    await parentOf(id);
    times.push(performance.now() - began);
  }
  return { reads: reads - before, shortest: Math.min(...times) };
}

describe('The parent of an account', () => {
  it('is found for an open account and for one that is being created, and for no other id', async () => {
    const parentId = await openParent(onboarding);
    const { request } = await post(onboarding, parentId, await requestFor(onboarding, parentId, cpfOf(111_222_333)));
    expect([
      await parentOf(parentId),
      await parentOf(request.accountId),
      await parentOf(randomUUID()),
      await parentOf('x'),
    ]).toEqual([{ parentId: null }, { parentId }, null, null]);
  });

  it('takes the same number of store reads and the same time whether the account exists or not', async () => {
    const known: string[] = [];
    for (let count = 0; count < 20; count += 1) known.push(await openParent(onboarding));
    const ask = (id: (round: number) => string) => cost(Array.from({ length: ROUNDS }, (_, round) => id(round)));
    const existing = (round: number) => known[round % known.length] as string;
    const absent = Array.from({ length: known.length }, () => randomUUID());
    await ask(existing);
    await ask((round) => absent[round % absent.length] as string);
    const foreign = await ask(existing);
    const missing = await ask((round) => absent[round % absent.length] as string);
    expect(missing.reads).toBe(foreign.reads);
    process.stdout.write(`existing ${foreign.shortest.toFixed(3)} ms, absent ${missing.shortest.toFixed(3)} ms\n`);
    // Times are not reliable on a busy CI machine.
    if (!process.env['CI']) expect(Math.abs(missing.shortest - foreign.shortest)).toBeLessThan(1);
  });
});
