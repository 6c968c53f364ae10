import { RefuseSettlement, RequestSettlement } from '@ponte/contracts';
import { Unavailable, refuse } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { ACCOUNT } from '../testing/fixtures';
import { cluster, useCluster } from '../testing/cluster-for-each-test';

const brcode = { sourcePaymentMethod: 'brcode' } as const;
const FAILED = { state: 'rolled-back', failure: { code: 'settlement-failed', retryable: false } };
useCluster();

/** Movements has no contract of the token of any order. */
const withoutContract = (pattern: string) => {
  if (pattern === RequestSettlement.pattern)
    refuse('asset-not-supported', 'eth-base/brlv has no contract here', 'asset');
};

/** Time passes, and the sweep runs. */
const later = async (minutes: number) => {
  cluster.now += minutes * 60_000;
  await cluster.requestMissingMints();
};

describe('an order whose settlement movements refuses', () => {
  it('is settled if another attempt within a quarter of an hour succeeds', async () => {
    cluster.services.before = withoutContract;
    const { id } = await cluster.place(cluster.quote());
    await later(14);
    expect(await cluster.get(id)).toMatchObject({ state: 'processing' });
    expect(cluster.services.refusals).toEqual([]);
    cluster.services.before = () => undefined;
    await later(2);
    await cluster.settles(id);
    expect(await cluster.reaches(id, 'completed')).toMatchObject({ failure: null });
  });

  it('is settled after a single refusal, however long it had waited before', async () => {
    cluster.services.before = (pattern) => {
      if (pattern === RequestSettlement.pattern) throw new Unavailable('service-unavailable');
    };
    const { id } = await cluster.place(cluster.quote());
    cluster.services.before = withoutContract;
    await later(60);
    cluster.services.before = () => undefined;
    await later(1);
    await cluster.settles(id);
    expect(await cluster.reaches(id, 'completed')).toMatchObject({ failure: null });
  });

  it('is rolled back after a quarter of an hour, and its hold is released', async () => {
    const before = cluster.services.available(ACCOUNT);
    cluster.services.before = withoutContract;
    const { id } = await cluster.place(cluster.quote());
    await later(16);
    expect(await cluster.reaches(id, 'rolled-back')).toMatchObject(FAILED);
    expect([cluster.services.available(ACCOUNT), cluster.services.openHolds()]).toEqual([before, []]);
    expect(cluster.services.refusals).toEqual(['refused']);
  });

  it('is rolled back, and its payment by Pix returns to the payer', async () => {
    cluster.services.before = withoutContract;
    const { id } = await cluster.place(cluster.quote(), brcode);
    await cluster.services.pay(cluster.chargeOf(id));
    await cluster.reaches(id, 'processing');
    await later(16);
    expect(await cluster.reaches(id, 'rolled-back')).toMatchObject(FAILED);
    expect([cluster.services.returned, cluster.services.openHolds()]).toEqual([[cluster.chargeOf(id)], []]);
  });

  it('is not rolled back while the refusal of its settlement is not certain, and is after that', async () => {
    const attempts = { refused: 0 };
    cluster.services.before = (pattern) => {
      if (pattern === RefuseSettlement.pattern && ++attempts.refused === 1) throw new Error('movements is down');
      withoutContract(pattern);
    };
    const { id } = await cluster.place(cluster.quote());
    await later(16);
    expect(await cluster.get(id)).toMatchObject({ state: 'processing' });
    await later(6);
    expect(await cluster.reaches(id, 'rolled-back')).toMatchObject(FAILED);
    expect([attempts.refused, cluster.services.openHolds()]).toEqual([2, []]);
  });

  it('is left to its transaction if that is being sent', async () => {
    cluster.services.before = withoutContract;
    const { id } = await cluster.place(cluster.quote());
    cluster.services.before = () => undefined;
    const requested = { refused: false };
    cluster.services.after = (pattern) => {
      if (pattern !== RequestSettlement.pattern || requested.refused) return;
      requested.refused = true;
      refuse('asset-not-supported', 'eth-base/brlv has no contract here any more', 'asset');
    };
    await later(16);
    await eventually(() => expect(cluster.services.refusals).toEqual(['refused']));
    expect(await cluster.get(id)).toMatchObject({ state: 'processing' });
    await cluster.settles(id);
    expect(await cluster.reaches(id, 'completed')).toMatchObject({ failure: null });
  });
});
