import { Unavailable } from '@ponte/kernel';
import type { FinalityEvidence, Hex } from '../../chain.port';
import { SimulatedSigner } from '../../../signer/adapters/simulated.keystore.adapter';
import type { FinalityNode } from './agreement';
import { agreedEvidence } from './agreement';
import { HOLDER, freshReference, signed } from '../chain-under-test.testing';
import { SimulatedChain } from '../simulated/simulated.chain.adapter';

const signer = new SimulatedSigner();
const FINALITY = 2;

/** Nodes of one network, which mine a broadcast mint in block 1. The `followers` among them mine two more blocks. */
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
    ask: (...nodes: readonly FinalityNode[]) => agreedEvidence(nodes, { sender, hashes: [hash], reference }),
    hash,
  };
}

const lying = (node: FinalityNode, change: Partial<FinalityEvidence>): FinalityNode => ({
  finalBlock: () => node.finalBlock(),
  at: async (block, question) => ({ ...(await node.at(block, question)), ...change }),
});
const nothingKnown = expect.any(Unavailable);

describe('the evidence at finality', () => {
  it('is the answer of the only node where there is just one', async () => {
    const { nodes, ask, hash } = await network(1);
    await expect(ask(...nodes)).resolves.toMatchObject({
      block: { number: 2 },
      minedCount: 1,
      referenceTaken: true,
      receipts: [{ hash, blockNumber: 1 }],
    });
  });

  it('is that of the highest block that both nodes consider final, when one of them lags', async () => {
    const { nodes, ask, hash } = await network(2, 1);
    // The second node has the mint in its head, which is not final there. The first node does not decide alone.
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

  it('is unavailable while one of two nodes stalls, and available with a third node', async () => {
    const { nodes, ask } = await network(3);
    nodes[1]?.setReachable(false);
    await expect(ask(...nodes.slice(0, 2))).rejects.toEqual(nothingKnown);
    await expect(ask(...nodes)).resolves.toMatchObject({ minedCount: 1 });
  });

  it.each<[string, Partial<FinalityEvidence>]>([
    ['about the count', { minedCount: 7 }],
    ['about the receipts', { receipts: [] }],
    ['about the reference', { referenceTaken: false }],
    ['about the role', { role: { contract: HOLDER, isOperator: false } }],
  ])('is unavailable while one of two nodes lies %s', async (_, lie) => {
    const {
      nodes: [honest, other],
      ask,
    } = (await network(2)) as { nodes: [SimulatedChain, SimulatedChain] } & Awaited<ReturnType<typeof network>>;
    await expect(ask(honest, lying(other, lie))).rejects.toEqual(nothingKnown);
    await expect(ask(lying(honest, lie), other)).rejects.toEqual(nothingKnown);
  });

  it('is unavailable while one of two nodes is on a fork, and decided by two of three that agree', async () => {
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

  it('is rejected with any error that is not an outage', async () => {
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

  it('is never read from a block whose number and hash do not match', async () => {
    const {
      nodes: [node],
    } = (await network(1)) as { nodes: [SimulatedChain] } & Awaited<ReturnType<typeof network>>;
    const { hash } = await node.finalBlock();
    await expect(
      node.at({ number: 1, hash: hash as Hex }, { sender: HOLDER, hashes: [], reference: null }),
    ).rejects.toEqual(nothingKnown);
  });
});
