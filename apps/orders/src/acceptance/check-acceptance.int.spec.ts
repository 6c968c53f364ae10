import type { OrderRecord, PlaceOrderPayload } from '@ponte/contracts';
import { CheckAcceptance } from '@ponte/contracts';
import { isoTime, Refusal } from '@ponte/kernel';
import { eventually, freshId, MemoryEventStore } from '@ponte/testing';
import type { Tools } from '../testing/cluster';
import { Cluster, START } from '../testing/cluster';
import { ACCOUNT, OWN_WALLET, requestFor } from '../testing/fixtures';

const tools: Tools<MemoryEventStore> = {
  open: (soleWriter, before) => new MemoryEventStore({ soleWriter, log: before?.log }),
  eventually,
  freshId,
};

describe('a dry run of an acceptance', () => {
  let cluster: Cluster<MemoryEventStore>;
  beforeEach(async () => {
    cluster = new Cluster(tools);
    await cluster.boot();
  });
  afterEach(() => cluster.stop());

  const check = (quoteId: string, over: Partial<PlaceOrderPayload> = {}): Promise<OrderRecord> => {
    const commandId = freshId();
    const [running] = cluster.running;
    if (!running) throw new Error('no process is running');
    return running.engines.bus.request(CheckAcceptance, requestFor(quoteId, over), {
      commandId,
      correlationId: commandId,
      actor: 'ak_test_1',
    });
  };
  const codesOf = (attempt: Promise<unknown>) =>
    attempt.then(
      () => [],
      (error: unknown) => {
        if (error instanceof Refusal) return error.violations.map(({ code, path }) => `${code} ${path}`);
        throw error;
      },
    );
  const nothingWritten = async () => {
    expect(await cluster.store.head()).toBeUndefined();
    expect(cluster.services.openHolds()).toEqual([]);
    expect(cluster.services.available(ACCOUNT)).toBe(1_000_00n);
  };

  it('returns the order that would be placed, and holds and writes nothing', async () => {
    const quoteId = cluster.quote();
    const dry = await check(quoteId);
    expect(dry).toMatchObject({
      state: 'created',
      targetWalletAddress: OWN_WALLET,
      createdAt: isoTime(START),
      paymentMethod: 'account-balance',
    });
    await nothingWritten();
    expect(await cluster.place(quoteId)).toEqual(dry);
  });

  it('opens no charge for a Pix code, but returns when it would expire', async () => {
    expect(await check(cluster.quote(), { sourcePaymentMethod: 'brcode' })).toMatchObject({
      brcode: null,
      expiration: isoTime(START + 900_000),
    });
    await nothingWritten();
  });

  it('is refused as the acceptance would be: for too little balance, with all violations, or for an accepted quote', async () => {
    expect(await codesOf(check(cluster.quote({ sourceAmount: '1000.01' })))).toEqual(['insufficient-balance quote-id']);
    expect(await codesOf(check(cluster.quote(), { targetEndUserPixKey: 'sealed:v1:key:1' }))).toEqual([
      'pix-key-not-allowed-for-pair target-end-user-pix-key',
    ]);
    await nothingWritten();
    const taken = cluster.quote();
    await cluster.place(taken);
    expect(await codesOf(check(taken))).toEqual(['quote-already-accepted quote-id']);
  });

  it('is refused like the acceptance, with all violations, while the account has a debt', async () => {
    cluster.services.balances.set(ACCOUNT, -60_00n);
    expect(await codesOf(check(cluster.quote()))).toEqual(['insufficient-balance quote-id']);
    const key = { targetEndUserPixKey: 'sealed:v1:key:1' } as const;
    for (const attempt of [check(cluster.quote(), key), cluster.place(cluster.quote(), key)])
      expect(await codesOf(attempt)).toEqual([
        'pix-key-not-allowed-for-pair target-end-user-pix-key',
        'insufficient-balance quote-id',
      ]);
  });
});
