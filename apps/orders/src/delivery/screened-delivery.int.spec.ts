import type { AccountRecord, OrderEvent } from '@ponte/contracts';
import { ReleaseHold, RequestSettlement } from '@ponte/contracts';
import { Unavailable } from '@ponte/kernel';
import { MemoryEventStore, eventually, freshId } from '@ponte/testing';
import { order } from '../order/order.decider';
import { RequestSettlementCommand } from '../settlement/request-settlement.command';
import type { Tools } from '../testing/cluster';
import { Cluster } from '../testing/cluster';
import { ACCOUNT } from '../testing/fixtures';

const tools: Tools<MemoryEventStore> = {
  open: (soleWriter, before) => new MemoryEventStore({ soleWriter, log: before?.log }),
  eventually,
  freshId,
};
const EXTERNAL = `0x${'5a'.repeat(20)}`;
const RETRY = 301_000;
let cluster: Cluster<MemoryEventStore>;
beforeEach(async () => {
  cluster = new Cluster(tools);
  cluster.services.wallets.set(`${ACCOUNT} eth-base ${EXTERNAL}`, {
    kind: 'external',
    address: EXTERNAL,
    whitelisted: true,
    fxWhitelisted: true,
  });
  await cluster.boot();
});
afterEach(() => cluster.stop());

const buy = () => cluster.place(cluster.quote(), { targetWalletAddress: EXTERNAL });
const later = async () => {
  cluster.now += RETRY;
  await cluster.requestMissingMints();
};
const heldOrder = async () => {
  cluster.services.screening = 'waits';
  const { id } = await buy();
  await eventually(async () => expect(await cluster.facts(id)).toContain('OrderProcessingStarted'));
  return id;
};

describe('an order to an external wallet on a sanctions list', () => {
  it('stays processing with its funds held, however often the sweep runs', async () => {
    const id = await heldOrder();
    for (let round = 0; round < 3; round += 1) await later();
    expect(await cluster.get(id)).toMatchObject({ state: 'processing', failure: null });
    expect(cluster.services.settlements.size).toBe(0);
    expect(await cluster.shown('ponte_orders_without_settlement')).toBe(0);
    expect(await cluster.facts(id)).toEqual(['OrderPlaced', 'OrderProcessingStarted']);
  });

  it('is settled once staff have marked the hit as a false positive', async () => {
    const id = await heldOrder();
    await cluster.services.review(id, ACCOUNT, 'clear');
    await cluster.settles(id);
    await cluster.reaches(id, 'completed');
    expect(await cluster.facts(id)).toEqual([
      'OrderPlaced',
      'OrderProcessingStarted',
      'OrderTargetScreened',
      'OrderCompleted',
    ]);
  });

  it('is rolled back for compliance after a true match, and its funds are available again', async () => {
    const before = cluster.services.available(ACCOUNT);
    const id = await heldOrder();
    await cluster.services.review(id, ACCOUNT, 'refused');
    expect(await cluster.reaches(id, 'rolled-back')).toMatchObject({
      failure: { code: 'compliance', message: expect.not.stringMatching(/sanction|list|review/i) as string },
    });
    expect(cluster.services.available(ACCOUNT)).toBe(before);
    expect(cluster.services.settlements.size).toBe(0);
  });
});

describe('an order to an external wallet on a sanctions list, of a frozen account', () => {
  const freeze = () => {
    const account = cluster.services.accounts.get(ACCOUNT) as AccountRecord;
    cluster.services.accounts.set(ACCOUNT, { ...account, status: 'frozen' });
    return async () => {
      cluster.services.accounts.set(ACCOUNT, account);
      await cluster.services.release(ACCOUNT);
    };
  };

  it('is rolled back for compliance after a true match, although nothing is signed while the account is frozen', async () => {
    const before = cluster.services.available(ACCOUNT);
    const id = await heldOrder();
    freeze();
    await cluster.services.review(id, ACCOUNT, 'refused');
    expect(await cluster.reaches(id, 'rolled-back')).toMatchObject({ failure: { code: 'compliance' } });
    expect(cluster.services.available(ACCOUNT)).toBe(before);
    expect(cluster.services.settlements.size).toBe(0);
  });

  it('is found by the sweep, too, if its wallet was refused', async () => {
    const id = await heldOrder();
    freeze();
    await later();
    cluster.services.screened.set(id, 'refused');
    await later();
    expect(await cluster.get(id)).toMatchObject({ state: 'rolled-back', failure: { code: 'compliance' } });
  });

  it('is rolled back by the next sweep if the one that recorded the refusal could not release its hold', async () => {
    const id = await heldOrder();
    freeze();
    cluster.services.screened.set(id, 'refused');
    cluster.services.before = (pattern) => {
      if (pattern === ReleaseHold.pattern) throw new Unavailable('rail-unavailable');
    };
    await later();
    expect(await cluster.facts(id)).toEqual(['OrderPlaced', 'OrderProcessingStarted', 'OrderTargetScreened']);
    cluster.services.before = () => undefined;
    await later();
    expect(await cluster.get(id)).toMatchObject({ state: 'rolled-back', failure: { code: 'compliance' } });
    expect(cluster.services.openHolds()).toEqual([]);
  });

  it('waits for the release after a false positive, and is screened again then', async () => {
    const id = await heldOrder();
    const release = freeze();
    await cluster.services.review(id, ACCOUNT, 'clear');
    await cluster.run((context) => new RequestSettlementCommand({ orderId: id }, context));
    expect(await cluster.facts(id)).toEqual(['OrderPlaced', 'OrderProcessingStarted']);
    expect(cluster.services.settlements.size).toBe(0);
    await release();
    await cluster.settles(id);
    await cluster.reaches(id, 'completed');
    expect(await cluster.facts(id)).toContain('OrderTargetScreened');
  });
});

describe('an order to an external wallet that is on no list', () => {
  it('is rolled back for compliance when a true match is found before its settlement is signed', async () => {
    const before = cluster.services.available(ACCOUNT);
    const { id } = await buy();
    const settlement = await eventually(() => cluster.settlementOf(id));
    await cluster.services.review(id, ACCOUNT, 'refused');
    await cluster.services.giveUp(settlement, 'compliance');
    expect(await cluster.reaches(id, 'rolled-back')).toMatchObject({ failure: { code: 'compliance' } });
    expect(cluster.services.available(ACCOUNT)).toBe(before);
  });

  it('is rolled back when the key of its settlement will never be available again', async () => {
    const before = cluster.services.available(ACCOUNT);
    const { id } = await buy();
    await cluster.services.giveUp(await eventually(() => cluster.settlementOf(id)), 'key-unavailable');
    expect(await cluster.reaches(id, 'rolled-back')).toMatchObject({ failure: { code: 'settlement-failed' } });
    expect(cluster.services.available(ACCOUNT)).toBe(before);
  });

  it('is screened once by orders; a later verdict concerns the service that signs the settlement', async () => {
    const { id } = await buy();
    await eventually(() => cluster.settlementOf(id));
    cluster.services.screening = 'refused';
    await cluster.services.review(id, ACCOUNT, 'refused');
    await later();
    await cluster.settles(id);
    expect(await cluster.reaches(id, 'completed')).toMatchObject({ state: 'completed' });
  });

  it('tells movements when it was screened if its settlement is requested later', async () => {
    cluster.services.before = (pattern) => {
      if (pattern === RequestSettlement.pattern) throw new Unavailable('chain-unavailable');
    };
    const { id } = await buy();
    const screenedAt = new Date(cluster.now).toISOString();
    await eventually(async () => expect(await cluster.facts(id)).toContain('OrderTargetScreened'));
    cluster.services.before = () => undefined;
    await later();
    expect(await eventually(() => cluster.settlementOf(id))).toMatchObject({ screenedAt });
  });

  it('keeps the outcome recorded first when two runs differ', async () => {
    const { id } = await buy();
    await eventually(() => cluster.settlementOf(id));
    const events = await cluster.store.read(`order-${id}`);
    const state = events.reduce((before, event) => order.evolve(before, event as unknown as OrderEvent), order.initial);
    const note = { kind: 'note-screening', outcome: 'refused', at: '2026-11-20T12:00:00.000Z' } as const;
    expect(order.decide(note, state)).toEqual([]);
  });
});

describe('an order to a wallet in our custody', () => {
  it('is not screened', async () => {
    cluster.services.screening = 'waits';
    const { id } = await cluster.place(cluster.quote());
    await cluster.settles(id);
    await cluster.reaches(id, 'completed');
    expect(await cluster.facts(id)).not.toContain('OrderTargetScreened');
  });
});
