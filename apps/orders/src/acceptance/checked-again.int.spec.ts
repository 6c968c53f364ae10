import type { AccountRecord, QuoteRecord } from '@ponte/contracts';
import { AcceptanceAbandoned } from '@ponte/contracts';
import { NO_STREAM, toAppend } from '@ponte/event-sourcing';
import { Unavailable, addSeconds, isoTime, refuse } from '@ponte/kernel';
import { MemoryEventStore, eventually, freshId } from '@ponte/testing';
import { orderIdOf } from '../order/order-ids.domain';
import type { Tools } from '../testing/cluster';
import { Cluster, START } from '../testing/cluster';
import { ACCOUNT } from '../testing/fixtures';

const tools: Tools<MemoryEventStore> = {
  open: (soleWriter, before) => new MemoryEventStore({ soleWriter, log: before?.log }),
  eventually,
  freshId,
};
let cluster: Cluster<MemoryEventStore>;
let requestedPatterns: string[];
beforeEach(async () => {
  cluster = new Cluster(tools);
  await cluster.boot();
  requestedPatterns = [];
  cluster.services.before = (pattern) => void requestedPatterns.push(pattern);
});
afterEach(() => cluster.stop());

const allow = (...capabilities: string[]) => {
  const account = cluster.services.accounts.get(ACCOUNT) as AccountRecord;
  cluster.services.accounts.set(ACCOUNT, { ...account, capabilities });
};
const CAPABILITY = 'rate-lock-1h';
const FX = { targetAsset: 'eth-base/usdc', expiresAt: addSeconds(isoTime(START), 86_400) } as const;
const QUOTES: readonly (readonly [string, Partial<QuoteRecord>])[] = [
  ['rate lock', { ...FX, rateLock: '1h' }],
  ['trade reason', { ...FX, tradeReason: 'international-travels' }],
];

describe("An acceptance on the quote's own account", () => {
  it.each(QUOTES)('is refused if a capability for its %s was withdrawn since', async (_, over) => {
    allow(CAPABILITY);
    const quoteId = cluster.quote(over);
    allow();
    await expect(cluster.place(quoteId)).rejects.toMatchObject({
      violations: [{ code: 'rate-lock-not-enabled', path: 'quote-id' }],
    });
    expect(cluster.services.openHolds()).toEqual([]);
    allow(CAPABILITY);
    expect(await cluster.place(quoteId)).toMatchObject({ state: 'created' });
  });

  it('is refused if the capability was withdrawn between an interrupted attempt and its retry', async () => {
    allow(CAPABILITY);
    const [quoteId, commandId] = [cluster.quote({ ...FX, rateLock: '1h' }), freshId()];
    cluster.store.faults.next({ kind: 'refuse', match: (_, events) => events[0]?.type === 'OrderPlaced' });
    await expect(cluster.place(quoteId, {}, commandId)).rejects.toBeInstanceOf(Unavailable);
    allow();
    await expect(cluster.place(quoteId, {}, commandId)).rejects.toMatchObject({ code: 'rate-lock-not-enabled' });
  });

  it.each([
    ['amount-below-minimum', () => refuse('amount-below-minimum', 'below a minimum that was raised since', 'quote-id')],
    [
      'pricing-unavailable',
      () => {
        throw new Unavailable('pricing-unavailable', 'no row is in force');
      },
    ],
  ])('is refused with %s of pricing by the rules of this moment, and may be repeated', async (code, answer) => {
    allow(CAPABILITY);
    const quoteId = cluster.quote({ ...FX, rateLock: '1h' });
    cluster.services.before = (pattern) => {
      if (pattern.includes('check-quote')) answer();
    };
    await expect(cluster.place(quoteId)).rejects.toMatchObject({ code });
    expect(cluster.services.openHolds()).toEqual([]);
    cluster.services.before = () => undefined;
    expect(await cluster.place(quoteId)).toMatchObject({ state: 'created' });
  });

  it('does not ask pricing again for a quote with neither', async () => {
    await cluster.place(cluster.quote());
    expect(requestedPatterns.some((pattern) => pattern.includes('get-quote'))).toBe(true);
    expect(requestedPatterns.filter((pattern) => pattern.includes('check-quote'))).toEqual([]);
  });
});

describe('An acceptance that is paused after it was checked, until its funds are held', () => {
  const EXPIRES = addSeconds(isoTime(START), 30);
  const HELD = 'place-hold';
  const pause = () => void (cluster.now += 31_000);

  /** Several processes write this log. The next acceptance pauses once, and meanwhile this happens. */
  async function paused(meanwhile: () => Promise<void> | void) {
    await cluster.stop();
    cluster = new Cluster(tools, false);
    await cluster.boot();
    allow(CAPABILITY);
    let isPaused = false;
    cluster.services.before = async (pattern) => {
      if (isPaused || !pattern.endsWith(HELD)) return;
      isPaused = true;
      await meanwhile();
    };
  }
  /** Another process writes to the stream of the order, so that the acceptance cannot append and decides again. */
  async function overtake(orderId: string): Promise<void> {
    const abandoned = new AcceptanceAbandoned({ orderId, accountId: ACCOUNT, fundingId: freshId() });
    const trace = { commandId: freshId(), correlationId: freshId() };
    const events = toAppend([abandoned], [AcceptanceAbandoned], trace, isoTime(cluster.now));
    await cluster.store.append(`order-${orderId}`, NO_STREAM, events);
  }
  const refused = async (attempt: Promise<unknown>, code: string) => {
    await expect(attempt).rejects.toMatchObject({ code });
    expect([cluster.services.holds.size, cluster.services.openHolds()]).toEqual([1, []]);
  };

  it('is decided by its one reading of the clock, although its quote has expired since', async () => {
    await paused(pause);
    const order = await cluster.place(cluster.quote({ expiresAt: EXPIRES }));
    expect(order).toMatchObject({ state: 'created', createdAt: isoTime(START) });
  });

  it('is refused if it has to decide again, and its quote has expired since', async () => {
    await paused(async () => {
      pause();
      await overtake(orderIdOf(quoteId));
    });
    const quoteId = cluster.quote({ expiresAt: EXPIRES });
    await refused(cluster.place(quoteId), 'quote-expired');
  });

  it('is refused if it has to decide again, and the capability was withdrawn since', async () => {
    await paused(async () => {
      allow();
      await overtake(orderIdOf(quoteId));
    });
    const quoteId = cluster.quote({ ...FX, rateLock: '1h' });
    await refused(cluster.place(quoteId), 'rate-lock-not-enabled');
  });

  it('is accepted if it has to decide again, and nothing has changed since', async () => {
    await paused(() => overtake(orderIdOf(quoteId)));
    const quoteId = cluster.quote({ ...FX, rateLock: '1h' });
    expect(await cluster.place(quoteId)).toMatchObject({ state: 'created' });
  });
});
