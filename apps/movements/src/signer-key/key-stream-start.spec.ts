import { MemoryEventStore } from '@ponte/testing';
import type { EvmChain } from '../chain/chain.port';
import type { ServedChains } from '../chain/served-chains.port';
import { fromUnmined, revisionReaching } from './key-streams';
import { STREAM, address, chain, logOfKey } from '../testing/key-stream';

const given = (...allocations: Parameters<typeof logOfKey>[0]) =>
  new MemoryEventStore({ log: logOfKey(allocations), soleWriter: true });

/** The chain of the key, on which so many of its transactions are mined, and fewer final. */
function mined(count: number) {
  const asked: unknown[] = [];
  const nextNonce: EvmChain['nextNonce'] = async (sender, at) => {
    asked.push([sender, at]);
    return at === 'latest' ? count : 0;
  };
  const of: ServedChains['of'] = (name) => {
    if (name !== chain) throw new Error(`${name} is not the chain of the key`);
    return { evm: { chain, nextNonce } as EvmChain, confirmations: 1, minter: address, custody: address, tokens: {} };
  };
  return { chains: { all: [], of }, asked };
}

describe('the revision of a key that reaches a nonce', () => {
  it('is that of its allocation or the first one after it, or the end of the stream', async () => {
    // Nonces 2 to 4 were skipped, and the second event withheld one.
    const store = given([0, 2], [2, 0], [5, 1], [6, 2]);
    const revisions = Array.from({ length: 9 }, (_, nonce) => revisionReaching(store, STREAM, nonce));
    await expect(Promise.all(revisions)).resolves.toEqual([0, 0, 2, 2, 2, 2, 3, 3, 4]);
  });
});

describe('the stream of a key from its first unmined nonce', () => {
  const one = given(...Array.from({ length: 1_600 }, (_, first) => [first, 1] as const));

  it.each([
    [1_590, 590],
    [1_001, 1],
    [1_000, 0],
    [3, 0],
  ])('with %i mined begins a thousand allocations before it, at %i', async (count, first) => {
    const { chains, asked } = mined(count);
    const [event, ...others] = await fromUnmined(one, chains).read(STREAM);
    expect(event).toMatchObject({ revision: first, data: { first } });
    expect(others).toHaveLength(1_600 - first - 1);
    expect(asked).toEqual([[address, 'latest']]);
  });

  it('is read as requested, without asking the chain, when the request names its begin', async () => {
    const { chains, asked } = mined(1_590);
    await expect(fromUnmined(one, chains).read(STREAM, { from: 0, limit: 1 })).resolves.toMatchObject([
      { revision: 0 },
    ]);
    await expect(fromUnmined(one, chains).read(STREAM, { limit: 2 })).resolves.toMatchObject([
      { revision: 590 },
      { revision: 591 },
    ]);
    expect(asked).toHaveLength(1);
  });

  it('must be that of a key', async () => {
    await expect(fromUnmined(one, mined(0).chains).read('chainTransaction-1')).rejects.toThrow('not a stream of a key');
  });
});
