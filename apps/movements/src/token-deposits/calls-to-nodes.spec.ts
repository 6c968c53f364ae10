import { SimulatedChain } from '../chain/adapters/simulated/simulated.chain.adapter';
import type { LogNode } from '../transfer-logs/transfer-logs.port';
import { AgreedTransfers } from './agreed.deposit-transfers.adapter';
import type { OwnAddresses } from './deposit-transfers.port';

const NO_WALLETS: OwnAddresses = {
  recipients: async () => [],
  allWallets: async () => [],
  wallets: async () => new Set(),
  senders: async () => new Set(),
};

/** Two nodes of one chain, and how often they were asked for a block by its number. */
function twoNodes() {
  const chain = new SimulatedChain({ chain: 'eth-base' });
  chain.mine(3);
  const asked: number[] = [];
  const counted = (node: LogNode): LogNode =>
    Object.assign(Object.create(node) as LogNode, {
      blockWithTime: (number: number) => {
        asked.push(number);
        return node.blockWithTime(number);
      },
    });
  const [node] = chain.logNodes as unknown as [LogNode];
  return { asked, transfers: new AgreedTransfers([counted(node), counted(node)], NO_WALLETS) };
}

describe('Nodes that agree', () => {
  it('are not asked again for the final block and the newest one that they have just named', async () => {
    const { asked, transfers } = twoNodes();
    await transfers.final();
    await transfers.head();
    expect(asked).toEqual([]);
  });

  it('are asked for the last block of a page before and after its logs', async () => {
    const { asked, transfers } = twoNodes();
    const head = await transfers.head();
    await transfers.read(head.number, head);
    expect(asked).toHaveLength(4);
  });
});
