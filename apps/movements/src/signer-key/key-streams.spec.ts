import { Aggregates } from '@ponte/event-sourcing';
import { Unavailable } from '@ponte/kernel';
import { Metrics } from '@ponte/observability';
import { MemoryEventStore } from '@ponte/testing';
import { address, chain, logOfKey } from '../testing/key-stream';
import type { EvmChain, FinalityEvidence } from '../chain/chain.port';
import type { ServedChains } from '../chain/served-chains.port';
import { Nonces } from '../sending/nonces.service';

/** A key with that many nonces, allocated one at a time to `t0`, `t1` and so on. */
function given(allocated: number, soleWriter = true) {
  const log = logOfKey(Array.from({ length: allocated }, (_, first) => [first, 1] as const));
  /** A process over that log, which counts the events that it reads. */
  const started = (minedCount: () => Promise<number>, finalCount = minedCount) => {
    const store = new MemoryEventStore({ log, soleWriter });
    const read = jest.spyOn(store, 'read');
    const atFinality = async () => ({ minedCount: await finalCount() }) as FinalityEvidence;
    const evm = { chain, nextNonce: minedCount, atFinality } as Partial<EvmChain> as EvmChain;
    const chains: ServedChains = {
      all: [],
      of: () => ({ evm, confirmations: 1, minter: address, custody: address, tokens: {} }),
    };
    const aggregates = new Aggregates({
      store,
      systemNow: () => 0,
      pause: async () => undefined,
    });
    return {
      nonces: new Nonces(aggregates, store, chains, { now: () => 0 }, new Metrics(), { heldKeyIds: ['operator'] }),
      eventsRead: async () =>
        (await Promise.all(read.mock.results.map(async ({ value }) => ((await value) as unknown[]).length))).reduce(
          (sum, one) => sum + one,
          0,
        ),
    };
  };
  return { log, started };
}

const named = (transactionId: string) => ({ chain, from: address, transactionId });
const request = (minedCount: number, ...transactionIds: string[]) => ({
  chain,
  keyId: 'operator',
  address,
  minedCount,
  transactionIds,
});

describe.each([true, false])('the stream of a key (written by this process alone: %s)', (soleWriter) => {
  it('is read from shortly before the unmined part, however long it is, and continues after the last nonce', async () => {
    const { started } = given(4_000, soleWriter);
    const { nonces, eventsRead } = started(async () => 3_998);
    await expect(nonces.known(chain, address, ['t3998', 't3999', 't4000'])).resolves.toEqual(
      new Set(['t3998', 't3999']),
    );
    await expect(nonces.allocate(request(3_998, 't3999', 't4000', 't3998'))).resolves.toEqual(
      new Map([
        ['t3999', 3_999],
        ['t4000', 4_000],
        ['t3998', 3_998],
      ]),
    );
    await expect(nonces.allocate(request(4_000, 't4001'))).resolves.toEqual(new Map([['t4001', 4_001]]));
    expect(await eventsRead()).toBeLessThan(1_100);
  });

  it('keeps the nonce of a transaction through every restart, also for a chain that lost transactions', async () => {
    const { started, log } = given(1_500, soleWriter);
    const before = log.length;
    for (const mined of [1_500, 1_499, 1_200, 3, 0]) {
      const nonce = Math.min(mined, 1_499);
      await expect(started(async () => mined).nonces.allocate(request(mined, `t${nonce}`))).resolves.toEqual(
        new Map([[`t${nonce}`, nonce]]),
      );
    }
    expect(log.length).toBe(before);
  });

  it('allocates no nonce to a transaction from which it was withheld, and leaves no gap', async () => {
    const { started } = given(4_000, soleWriter);
    const [one, other] = [started(async () => 3_998), started(async () => 3_998)];
    // Both processes have read that it has no nonce.
    await expect(other.nonces.known(chain, address, ['listed'])).resolves.toEqual(new Set());
    await expect(one.nonces.withhold(named('listed'), 'compliance')).resolves.toBe(true);
    await expect(one.nonces.withhold(named('listed'), 'compliance')).resolves.toBe(true);
    await expect(other.nonces.allocate(request(3_998, 'listed', 't4000'))).resolves.toEqual(
      new Map([['t4000', 4_000]]),
    );
    await expect(other.nonces.withhold(named('t4000'), 'compliance')).resolves.toBe(false);
    // The first reason counts.
    await one.nonces.withhold(named('listed'), 'refused');
    const reasons = ['listed', 't4000', 'unknown'].map((id) => other.nonces.reasonWithheld(named(id)));
    await expect(Promise.all(reasons)).resolves.toEqual(['compliance', null, null]);
    await expect(started(async () => 4_001).nonces.allocate(request(4_001, 't4001', 'listed'))).resolves.toEqual(
      new Map([['t4001', 4_001]]),
    );
  });

  it('allocates nonces without gaps after many were withheld', async () => {
    const { started } = given(0, soleWriter);
    const { nonces } = started(async () => 0);
    for (let at = 0; at < 20; at += 1) await nonces.withhold(named(`listed${at}`), 'compliance');
    await nonces.allocate(request(0, 'a', 'b', 'listed3'));
    for (const mined of [0, 1, 2])
      await expect(started(async () => mined).nonces.allocate(request(mined, 'b', 'c'))).resolves.toEqual(
        new Map([
          ['b', 1],
          ['c', 2],
        ]),
      );
  });

  it('starts at nonce zero, or after the nonces that others have used', async () => {
    await expect(
      given(0, soleWriter)
        .started(async () => 0)
        .nonces.allocate(request(0, 'a', 'b')),
    ).resolves.toEqual(
      new Map([
        ['a', 0],
        ['b', 1],
      ]),
    );
    await expect(
      given(0, soleWriter)
        .started(async () => 7)
        .nonces.allocate(request(7, 'a')),
    ).resolves.toEqual(new Map([['a', 7]]));
    await expect(
      given(3, soleWriter)
        .started(async () => 9)
        .nonces.allocate(request(9, 'a')),
    ).resolves.toEqual(new Map([['a', 9]]));
  });

  it('continues after nonces that others have used only when they are final', async () => {
    const { started, log } = given(3, soleWriter);
    let final = 8;
    const { nonces } = started(
      async () => 9,
      async () => final,
    );
    const before = log.length;
    await expect(nonces.allocate(request(9, 'a'))).rejects.toMatchObject({ code: 'chain-unavailable' });
    expect(log.length).toBe(before);
    final = 9;
    await expect(nonces.allocate(request(9, 'a'))).resolves.toEqual(new Map([['a', 9]]));
  });

  it('cannot be read while the node does not answer, and can be again afterwards', async () => {
    const { started } = given(2, soleWriter);
    let answers = false;
    const { nonces } = started(async () => {
      if (!answers) throw new Unavailable('chain-unavailable');
      return 2;
    });
    await expect(nonces.known(chain, address, ['t1'])).rejects.toMatchObject({ code: 'chain-unavailable' });
    answers = true;
    await expect(nonces.allocate(request(2, 'a'))).resolves.toEqual(new Map([['a', 2]]));
  });
});
