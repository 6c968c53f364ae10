import { Unavailable } from '@ponte/kernel';
import type { FinalityEvidence, Hex } from '../../chain.port';
import { SimulatedSigner } from '../../../signer/adapters/simulated';
import type { FinalityNode } from './agreement';
import { agreedEvidence } from './agreement';
import { HOLDER, freshReference, signed } from '../chain-under-test.testing';
import { SimulatedChain } from '../simulated/simulated';

const signer = new SimulatedSigner();
const FINALITY = 2;

/**
 * So many nodes of one network: a mint is broadcast to all of them, and three blocks are mined by those that follow.
 */
async function network(count: number, followers = count) {
  const nodes = Array.from(
    { length: count },
    () => new SimulatedChain({ chain: 'eth-base', instant: false, finality: FINALITY }),
  );
  const [first] = nodes as [SimulatedChain];
  const sender = await signer.addressOf('operator');
  const reference = freshReference();
  const { raw, hash } = await signed(
    first,
    signer,
    'operator',
    first.mintCall({ reference, asset: 'eth-base/brlv', to: HOLDER, units: 5n }),
  );
  for (const node of nodes) await node.broadcast(raw);
  for (const node of nodes) node.mine(1);
  const before = { minedCount: 1, referenceTaken: true };
  for (const node of nodes.slice(0, followers)) node.mine(2);
  return {
    nodes,
    before,
    ask: (...asked: readonly FinalityNode[]) => agreedEvidence(asked, { sender, hashes: [hash], reference }),
    hash,
  };
}

const lying = (node: FinalityNode, change: Partial<FinalityEvidence>): FinalityNode => ({
  finalBlock: () => node.finalBlock(),
  at: async (block, question) => ({ ...(await node.at(block, question)), ...change }),
});
const nothingKnown = expect.any(Unavailable);

describe('what is decided at finality', () => {
  it('is what one node says where there is only one', async () => {
    const { nodes, ask, hash } = await network(1);
    await expect(ask(...nodes)).resolves.toMatchObject({
      block: { number: 2 },
      minedCount: 1,
      referenceTaken: true,
      receipts: [{ hash, blockNumber: 1 }],
    });
  });

  it('is what two nodes say of the highest block that both call final, when one lags', async () => {
    const { nodes, ask, hash } = await network(2, 1);
    // The second has the mint in its head, which is not final there: the first alone does not decide.
    await expect(ask(...nodes)).resolves.toMatchObject({
      block: { number: 0 },
      minedCount: 0,
      referenceTaken: false,
      receipts: [],
    });
    nodes[1]?.mine(1);
    await expect(ask(...nodes)).resolves.toMatchObject({
      block: { number: 1 },
      minedCount: 1,
      referenceTaken: true,
      receipts: [{ hash }],
    });
  });

  it('is unknown while one of two nodes stalls, and goes on with a third', async () => {
    const { nodes, ask } = await network(3);
    nodes[1]?.setReachable(false);
    await expect(ask(...nodes.slice(0, 2))).rejects.toEqual(nothingKnown);
    await expect(ask(...nodes)).resolves.toMatchObject({ minedCount: 1 });
  });

  it.each<[string, Partial<FinalityEvidence>]>([
    ['of the count', { minedCount: 7 }],
    ['of the receipts', { receipts: [] }],
    ['of the reference', { referenceTaken: false }],
  ])('is unknown while one of two nodes lies %s', async (_, lie) => {
    const {
      nodes: [honest, other],
      ask,
    } = (await network(2)) as { nodes: [SimulatedChain, SimulatedChain] } & Awaited<ReturnType<typeof network>>;
    await expect(ask(honest, lying(other, lie))).rejects.toEqual(nothingKnown);
    await expect(ask(lying(honest, lie), other)).rejects.toEqual(nothingKnown);
  });

  it('is unknown while one of two nodes is on a fork, and is decided by two of three on one chain', async () => {
    const {
      nodes: [one, two, forked],
      ask,
    } = (await network(3)) as { nodes: [SimulatedChain, SimulatedChain, SimulatedChain] } & Awaited<
      ReturnType<typeof network>
    >;
    forked.reorg(3, 'forgotten');
    forked.mine(6);
    await expect(ask(one, forked)).rejects.toEqual(nothingKnown);
    for (const head of [0, 4, 3]) {
      one.mine(head);
      await expect(ask(one, forked, two)).resolves.toMatchObject({
        block: { number: 2 },
        minedCount: 1,
        referenceTaken: true,
      });
    }
  });

  it('passes on what is a fault of our own', async () => {
    const {
      nodes: [node],
      ask,
    } = (await network(1)) as { nodes: [SimulatedChain] } & Awaited<ReturnType<typeof network>>;
    const broken: FinalityNode = {
      finalBlock: () => node.finalBlock(),
      at: async () => {
        throw new TypeError('a fault');
      },
    };
    await expect(ask(broken)).rejects.toThrow('a fault');
  });

  it('never reads a block at another height under the hash that was asked for', async () => {
    const {
      nodes: [node],
    } = (await network(1)) as { nodes: [SimulatedChain] } & Awaited<ReturnType<typeof network>>;
    const { hash } = await node.finalBlock();
    await expect(
      node.at({ number: 1, hash: hash as Hex }, { sender: HOLDER, hashes: [], reference: null }),
    ).rejects.toEqual(nothingKnown);
  });
});
