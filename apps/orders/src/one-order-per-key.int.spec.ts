import type { Refusal } from '@ponte/kernel';
import { Unavailable, isoTime } from '@ponte/kernel';
import { START } from './testing/cluster';
import { VALID_SECONDS } from './testing/fixtures';
import { cluster, refusalOf, shareLog, useCluster } from './testing/cluster-for-each-test';

const SECOND = 1_000;
const ONE = { keyHash: 'scope-1' } as const;
const REUSED = [{ code: 'idempotency-key-reused' }];
const IN_PROGRESS = [{ code: 'idempotency-in-progress' }];
const brcode = { sourcePaymentMethod: 'brcode' } as const;
useCluster();

const refusesNext = (type: string) =>
  cluster.store.faults.next({ kind: 'refuse', match: (_, events) => events.some((event) => event.type === type) });
const balanceHolds = () => cluster.services.openHolds().length;

// A client that got no response requests another quote and repeats its request under the same key.
describe('an idempotency key', () => {
  it.each([{}, brcode])('places one order, also for another quote, forever (%j)', async (over) => {
    const first = await cluster.place(cluster.quote(), { ...ONE, ...over });
    const again = cluster.quote();
    expect((await refusalOf(cluster.place(again, { ...ONE, ...over }))).violations).toMatchObject(REUSED);
    cluster.now = START + 400 * 86_400 * SECOND;
    // An order that was rolled back keeps its key: the client has to learn what became of it.
    await cluster.expire();
    expect((await cluster.get(first.id))?.state).toBe('sourcePaymentMethod' in over ? 'rolled-back' : 'processing');
    const late = cluster.quote();
    const refused = await refusalOf(cluster.place(late, { ...ONE, ...over, externalId: 'ref-1' }));
    expect(refused.violations).toMatchObject(REUSED);
    expect((await cluster.list()).items.map(({ id }) => id)).toEqual([first.id]);
    expect(cluster.services.charges.size + cluster.services.holds.size).toBe(1);
    // Nothing of the refused requests is left behind.
    await cluster.place(late, { ...over, externalId: 'ref-1' });
  });

  it('places one order for concurrent requests with two quotes in two processes', async () => {
    await shareLog();
    const other = await cluster.boot();
    const attempts = await Promise.allSettled([
      cluster.place(cluster.quote(), ONE),
      cluster.place(cluster.quote(), ONE, undefined, other),
      cluster.place(cluster.quote(), ONE),
      cluster.place(cluster.quote(), ONE, undefined, other),
    ]);
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const losers = attempts.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
    // One that runs while the order is being placed, or has too many conflicts, can be repeated.
    for (const error of losers)
      if (!(error instanceof Unavailable))
        expect(['idempotency-key-reused', 'idempotency-in-progress']).toContain((error as Refusal).code);
    expect((await refusalOf(cluster.place(cluster.quote(), ONE))).violations).toMatchObject(REUSED);
    // What a conflict left behind is old enough to be forgotten.
    cluster.now = START + 86_400 * SECOND;
    await cluster.sweep();
    expect(balanceHolds()).toBe(1);
  });

  it('of an order that another key placed is free, even if it was reserved', async () => {
    const quoteId = cluster.quote();
    const attempts = await Promise.allSettled([
      cluster.place(quoteId, { keyHash: 'scope-1' }),
      cluster.place(quoteId, { keyHash: 'scope-2' }),
    ]);
    const loser = attempts[0].status === 'fulfilled' ? 'scope-2' : 'scope-1';
    await cluster.place(cluster.quote(), { keyHash: loser });
    expect(balanceHolds()).toBe(2);
  });

  it('is kept over a crash while its order may still be placed, and free two minutes after the quote expires', async () => {
    refusesNext('OrderPlaced');
    await expect(cluster.place(cluster.quote(), ONE)).rejects.toBeInstanceOf(Unavailable);
    // No refusal for good: the gateway would store it, and the key could never be used.
    expect((await refusalOf(cluster.place(cluster.quote(), ONE))).violations).toMatchObject(IN_PROGRESS);
    cluster.now = START + (VALID_SECONDS + 120) * SECOND;
    await cluster.place(cluster.quote(), ONE);
  });

  // The key is free when the second request begins, and reserved when it has placed its hold.
  const reservedMeanwhile = async () => {
    const first = cluster.quote();
    const second = cluster.quote({ expiresAt: isoTime(START + 3_600 * SECOND) });
    cluster.services.after = async (pattern) => {
      if (!pattern.endsWith('place-hold')) return;
      cluster.services.after = () => undefined;
      refusesNext('OrderPlaced');
      await expect(cluster.place(first, ONE, 'command-1')).rejects.toBeInstanceOf(Unavailable);
    };
    expect((await refusalOf(cluster.place(second, ONE, 'command-2'))).violations).toMatchObject(IN_PROGRESS);
    return { first, second };
  };

  it('that another request reserves meanwhile leaves nothing held for the second, which can be repeated', async () => {
    const { first, second } = await reservedMeanwhile();
    expect(balanceHolds()).toBe(1);
    expect((await refusalOf(cluster.place(second, ONE, 'command-2'))).violations).toMatchObject(IN_PROGRESS);
    const { id } = await cluster.place(first, ONE, 'command-1');
    expect((await refusalOf(cluster.place(second, ONE, 'command-2'))).violations).toMatchObject(REUSED);
    expect((await cluster.list()).items.map((order) => order.id)).toEqual([id]);
    expect(balanceHolds()).toBe(1);
  });

  it('places the order of the second request once that of the first can no longer be placed', async () => {
    const { first, second } = await reservedMeanwhile();
    cluster.now = START + (VALID_SECONDS + 120) * SECOND;
    expect((await cluster.place(second, ONE, 'command-2')).quoteId).toBe(second);
    await refusalOf(cluster.place(first, ONE, 'command-1'));
    expect((await cluster.list()).items).toHaveLength(1);
  });

  it('leaves the first quote acceptable after a crash, by the same command', async () => {
    refusesNext('OrderPlaced');
    const quoteId = cluster.quote();
    await expect(cluster.place(quoteId, ONE, 'command-1')).rejects.toBeInstanceOf(Unavailable);
    const { id } = await cluster.place(quoteId, ONE, 'command-1');
    expect(await cluster.place(quoteId, ONE, 'command-1')).toMatchObject({ id });
    expect((await refusalOf(cluster.place(cluster.quote(), ONE))).violations).toMatchObject(REUSED);
  });

  it('that is not sent limits nothing', async () => {
    await cluster.place(cluster.quote());
    await cluster.place(cluster.quote());
    expect(balanceHolds()).toBe(2);
  });
});
