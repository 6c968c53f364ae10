import type { ChainRecord } from '@ponte/contracts';
import { ORDERABLE_PAIRS } from '@ponte/contracts';
import type { Job, Timers } from '@ponte/concurrency';
import type { MessageBus } from '@ponte/event-sourcing';
import type { AssetId } from '@ponte/kernel';
import { Unavailable } from '@ponte/kernel';
import { createLogger } from '@ponte/nest';
import { isAmong } from './quote.commands';
import { ServedPairs } from './served.quoted-pairs.adapter';

const chainsWith = (...assets: AssetId[]) => ({
  chains: [{ chain: 'eth-base', tokens: assets.map((asset) => ({ asset, address: '0x1', decimals: 18 })) }],
});
const everyToken = ORDERABLE_PAIRS.flatMap(({ source, target }) => (source === 'fiat/brl' ? [target] : []));

let answer: () => Promise<unknown>;
let pairs: ServedPairs;
const parts = {
  bus: { request: () => answer() as Promise<{ chains: readonly ChainRecord[] }> } as unknown as MessageBus,
  logger: createLogger('pricing', 'silent'),
  context: () => ({ commandId: 'c', correlationId: 'c' }),
};
const read = () => pairs.read(parts);
const has = (source: AssetId, target: AssetId) => isAmong(pairs.current, source, target);
const shown = () => pairs.current.map(({ source, target }) => `${source} ${target}`);

beforeEach(() => {
  pairs = new ServedPairs(ORDERABLE_PAIRS);
});

describe('The pairs that are quoted', () => {
  it('are all of them until the tokens with a contract are known', async () => {
    expect(pairs.current).toBe(ORDERABLE_PAIRS);
    answer = () => Promise.reject(new Unavailable('service-unavailable'));
    await read();
    expect(pairs.current).toBe(ORDERABLE_PAIRS);
  });

  it('stay the same array if every token has a contract', async () => {
    answer = async () => chainsWith(...everyToken);
    await read();
    expect(pairs.current).toBe(ORDERABLE_PAIRS);
  });

  it('are those whose token has a contract, in both directions', async () => {
    answer = async () => chainsWith('eth-base/brlv', 'eth-base/usdc');
    await read();
    expect(shown()).toEqual([
      'fiat/brl eth-base/brlv',
      'fiat/brl eth-base/usdc',
      'eth-base/brlv fiat/brl',
      'eth-base/usdc fiat/brl',
    ]);
    expect([has('fiat/brl', 'eth-base/usdc'), has('fiat/brl', 'eth-base/usdt')]).toEqual([true, false]);
    expect([has('eth-base/brlv', 'fiat/brl'), has('tempo/brlv', 'fiat/brl')]).toEqual([true, false]);
  });

  it('stay as they were when a read fails, and come back with their contract', async () => {
    answer = async () => chainsWith('eth-base/brlv');
    await read();
    const before = pairs.current;
    answer = () => Promise.reject(new Unavailable('service-unavailable'));
    await read();
    expect(pairs.current).toBe(before);
    answer = async () => chainsWith(...everyToken);
    await read();
    expect(pairs.current).toEqual(ORDERABLE_PAIRS);
  });

  it('are read after growing delays until the first success, then at the interval, even after a failure', async () => {
    const clock = jest.spyOn(performance, 'now');
    const random = jest.spyOn(Math, 'random').mockReturnValue(0.5);
    const jobs: Job[] = [];
    pairs.start({ every: (_name, _every, job) => void jobs.push(job) } as Timers, 10_000, parts);
    let reads = 0;
    const readAfter = async (seconds: number, succeeds: boolean) => {
      clock.mockReturnValue(seconds * 1_000);
      answer = async () => {
        reads += 1;
        if (!succeeds) throw new Unavailable('service-unavailable');
        return chainsWith(...everyToken);
      };
      const before = reads;
      await jobs[0]?.(new AbortController().signal);
      return reads > before;
    };
    try {
      const failed: number[] = [];
      for (let second = 0; second <= 29; second += 1) if (await readAfter(second, false)) failed.push(second);
      // No delay is longer than the interval.
      expect(failed).toEqual([0, 1, 3, 8, 18, 28]);
      expect([await readAfter(37, true), await readAfter(38, true)]).toEqual([false, true]);
      expect([await readAfter(39, true), await readAfter(48, false)]).toEqual([false, true]);
      expect([await readAfter(49, true), await readAfter(57, true)]).toEqual([false, false]);
      expect(await readAfter(58, true)).toBe(true);
    } finally {
      random.mockRestore();
      clock.mockRestore();
    }
  });
});
