import { openSqliteReadModels } from '@ponte/eventstore-sqlite';
import type { AccountRecord } from '@ponte/contracts';
import { READ_MODELS } from '@ponte/nest';
import { MemoryEventStore, eventually, freshId, rebuiltRows, shownRows } from '@ponte/testing';
import type { Kysely } from 'kysely';
import { ORDERS_REBUILDABLE } from '../orders.read-models';
import type { Tools } from '../testing/cluster';
import { Cluster } from '../testing/cluster';
import { ACCOUNT, OWN_WALLET } from '../testing/fixtures';
import { PIX_TARGET } from '../testing/pix-target';
import { ORDER_DECISIONS } from './order-decisions.read-model';

const tools: Tools<MemoryEventStore> = {
  open: (soleWriter, before) => new MemoryEventStore({ soleWriter, log: before?.log }),
  eventually,
  freshId,
};
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const EXTERNAL = `0x${'5a'.repeat(20)}`;
let cluster: Cluster<MemoryEventStore>;
beforeEach(async () => {
  cluster = new Cluster(tools);
  const external = { kind: 'external', address: EXTERNAL, whitelisted: true, fxWhitelisted: true } as const;
  cluster.services.wallets.set(`${ACCOUNT} eth-base ${EXTERNAL}`, external);
  await cluster.boot();
});
afterEach(() => cluster.stop());

const samplesOf = async (metric: string) =>
  (await cluster.running[0]?.engines.metrics.registry.getSingleMetric(metric)?.get())?.values ?? [];

/** The series of open orders that are not zero, as `state age waits_for: count`. */
const open = async () =>
  (await samplesOf('ponte_orders_open'))
    .filter(({ value }) => value !== 0)
    .map(({ labels: { state, age, waits_for }, value }) => `${state} ${age} ${waits_for}: ${value}`);
const longest = async (waitsFor: string) =>
  (await samplesOf('ponte_order_oldest_waiting_seconds')).find(({ labels }) => labels['waits_for'] === waitsFor)?.value;
const shows = (...series: string[]) => eventually(async () => expect(await open()).toEqual(series));

const setStatus = (status: AccountRecord['status']) =>
  cluster.services.accounts.set(ACCOUNT, { ...(cluster.services.accounts.get(ACCOUNT) as AccountRecord), status });
/** An order whose account is frozen before its settlement is requested. */
const frozenOrder = async () => {
  cluster.services.after = (pattern) => {
    if (pattern.endsWith('place-hold')) setStatus('frozen');
  };
  const { id } = await cluster.place(cluster.quote());
  await shows('processing to-1m nothing: 1');
  await cluster.services.freeze(ACCOUNT, 'court-order');
  return id;
};
const release = async () => {
  setStatus('active');
  await cluster.services.release(ACCOUNT);
};
const reviewedOrder = async () => {
  cluster.services.screening = 'waits';
  const { id } = await cluster.place(cluster.quote(), { targetWalletAddress: EXTERNAL });
  await shows('processing to-1m nothing: 1');
  await cluster.services.openReview(id, ACCOUNT);
  return id;
};

/** A sale that is paid out to a Pix key, whose settlement was requested. */
async function saleToPix(): Promise<string> {
  const wallet = { kind: 'internal', walletId: 'wallet-1', address: OWN_WALLET } as const;
  cluster.services.wallets.set(`${ACCOUNT} eth-base ${OWN_WALLET}`, wallet);
  const key = 'sealed:v1:key:1' as const;
  cluster.services.pixKeys.set(key, { ownedByHolder: true, target: PIX_TARGET });
  const amounts = { sourceAmount: '10.000000000000000000', targetAmount: '10.00', tradeReason: null };
  const sale = cluster.quote({ sourceAsset: 'eth-base/brlv', targetAsset: 'fiat/brl', ...amounts });
  const { id } = await cluster.place(sale, { sourceWalletAddress: OWN_WALLET, targetEndUserPixKey: key });
  await eventually(() => cluster.settlementOf(id));
  return id;
}
/** When the account was released, as the metrics know it. */
const released = async () => {
  const rows = await shownRows(cluster.running[0]?.app.get<Kysely<unknown>>(READ_MODELS), [ORDER_DECISIONS]);
  return (rows[ORDER_DECISIONS]?.[0] as { made_at: string | null }).made_at;
};

describe('an open order in the metrics', () => {
  it('waits for the release of its account, from the freeze on', async () => {
    await frozenOrder();
    await shows('processing to-1m release: 1');
    cluster.now += 20 * DAY;
    await shows('processing over-1h release: 1');
    expect(await longest('release')).toBe((20 * DAY) / 1_000);
    expect(await longest('review')).toBe(0);
  });

  it('counts as stuck again after the release, with an age that begins there', async () => {
    const id = await frozenOrder();
    await shows('processing to-1m release: 1');
    cluster.now += 20 * DAY;
    await release();
    await shows('processing to-1m nothing: 1');
    expect(await longest('release')).toBe(0);
    cluster.now += 11 * MINUTE;
    await shows('processing to-1h nothing: 1');
    await cluster.settles(id);
    await cluster.reaches(id, 'completed');
    await shows();
  });

  it('waits again if its account is frozen again', async () => {
    await frozenOrder();
    await shows('processing to-1m release: 1');
    await cluster.services.release(ACCOUNT);
    await shows('processing to-1m nothing: 1');
    cluster.now += DAY;
    await cluster.services.freeze(ACCOUNT, 'court-order');
    await shows('processing to-1m release: 1');
  });

  it('waits for the review of its wallet until the review is decided', async () => {
    const id = await reviewedOrder();
    await shows('processing to-1m review: 1');
    cluster.now += 2 * DAY;
    expect(await longest('review')).toBe((2 * DAY) / 1_000);
    await cluster.services.review(id, ACCOUNT, 'clear');
    await shows('processing to-1m nothing: 1');
    cluster.now += 11 * MINUTE;
    await shows('processing to-1h nothing: 1');
  });

  it('waits for the release first if it waits for both', async () => {
    await reviewedOrder();
    await cluster.services.freeze(ACCOUNT, 'court-order');
    await shows('processing to-1m release: 1');
  });

  it('does not wait for a release once it is settled', async () => {
    const id = await saleToPix();
    await cluster.services.freeze(ACCOUNT, 'court-order');
    await shows('processing to-1m release: 1');
    await cluster.settles(id);
    await shows('processing to-1m nothing: 1');
    cluster.now += DAY;
    await shows('processing over-1h nothing: 1');
    // It keeps its age when staff release the account.
    await release();
    await eventually(async () => expect(await released()).not.toBeNull());
    await shows('processing over-1h nothing: 1');
  });

  it('keeps the age since the release that came before its settlement', async () => {
    const id = await saleToPix();
    await cluster.services.freeze(ACCOUNT, 'court-order');
    cluster.now += 20 * DAY;
    await release();
    await shows('processing to-1m nothing: 1');
    cluster.now += 2 * MINUTE;
    await cluster.settles(id);
    await eventually(async () => expect((await cluster.get(id))?.txHash).not.toBeNull());
    await shows('processing to-10m nothing: 1');
  });

  it('does not wait for a release while its Pix code is not known to be paid', async () => {
    await cluster.place(cluster.quote(), { sourcePaymentMethod: 'brcode' });
    await cluster.services.freeze(ACCOUNT, 'court-order');
    cluster.now += DAY;
    await shows('created over-1h nothing: 1');
  });
});

it('the decisions that orders wait for are the same after a rebuild', async () => {
  const id = await frozenOrder();
  await cluster.services.openReview(id, ACCOUNT);
  await release();
  await cluster.services.review(id, ACCOUNT, 'clear');
  const readModels = cluster.running[0]?.app.get<Kysely<unknown>>(READ_MODELS);
  const at = new Date(cluster.now).toISOString();
  await eventually(async () =>
    expect((await shownRows(readModels, [ORDER_DECISIONS]))[ORDER_DECISIONS]).toEqual([
      { decision: 'release', id: ACCOUNT, awaited_since: null, made_at: at },
      { decision: 'review', id, awaited_since: null, made_at: at },
    ]),
  );
  const db = openSqliteReadModels<unknown>(':memory:');
  expect((await rebuiltRows(ORDERS_REBUILDABLE, db, cluster.store))[ORDER_DECISIONS]).toEqual(
    (await shownRows(readModels, [ORDER_DECISIONS]))[ORDER_DECISIONS],
  );
  await db.destroy();
});
