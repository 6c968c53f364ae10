import { Unavailable } from '@ponte/kernel';
import type { Hex } from '../chain/block.port';
import { NodeLogs, inGroups, transfersOfBlock } from './node-logs.adapter';
import type { LogNode, TransferLog } from './transfer-logs.port';

const BLOCK = 7;
const WALLETS = Array.from({ length: 1_200 }, (_, at): Hex => `0x${at.toString(16).padStart(40, '0')}`);
const PAID = [WALLETS[0], WALLETS[501], WALLETS[1_199]];
const LOGS = PAID.map((to, logIndex) => ({ to, logIndex, blockNumber: BLOCK }) as TransferLog);
/** What the scan requests when a chain has too many wallets to name. */
const anyone = async (): Promise<readonly Hex[]> => WALLETS;

/**
 * A node whose block is full of transfers to outsiders: it refuses all of that block, and those to more than `most`
 * recipients. It notes how many recipients it was asked for, null where it was asked for all transfers, and for how
 * many it was asked for the receipts of the block.
 */
function floodedNode(most = Infinity, { hasReceipts = true } = {}) {
  const asked: (number | null)[] = [];
  const receipts: [number | Hex, number][] = [];
  const transferLogs: LogNode['transferLogs'] = async (from, to, recipients) => {
    asked.push(recipients && recipients.length);
    if (from > BLOCK || to < BLOCK) return [];
    return recipients && recipients.length <= most ? LOGS.filter((log) => recipients.includes(log.to)) : 'too-much';
  };
  const receiptTransfers: LogNode['receiptTransfers'] = async (block, recipients) => {
    receipts.push([block, recipients.length]);
    if (!hasReceipts) throw new Unavailable('chain-unavailable');
    return LOGS.filter((log) => recipients.includes(log.to));
  };
  return { node: { transferLogs, receiptTransfers } as LogNode, asked, receipts };
}

async function logsOf(node: LogNode, recipients: readonly Hex[] | typeof anyone, [from, to] = [BLOCK, BLOCK]) {
  const found: TransferLog[] = [];
  for await (const page of new NodeLogs(node).transfers(from as number, to as number, recipients)) found.push(...page);
  return found;
}

describe('a block whose transfers a node refuses to return all at once', () => {
  it('is read by wallets, in groups that fit into one request', async () => {
    const { node, asked } = floodedNode();
    await expect(logsOf(node, anyone)).resolves.toEqual(LOGS);
    expect(asked).toEqual([null, 500, 500, 200]);
  });

  it('is read in smaller groups, down to one wallet', async () => {
    await expect(logsOf(floodedNode(1).node, anyone)).resolves.toEqual(LOGS);
    await expect(logsOf(floodedNode(1).node, WALLETS.slice(0, 500))).resolves.toEqual(LOGS.slice(0, 1));
  });

  it('is read from its receipts, once for all wallets, if the node refuses even the transfers to one', async () => {
    for (const recipients of [anyone, WALLETS]) {
      const { node, receipts } = floodedNode(0);
      await expect(logsOf(node, recipients)).resolves.toEqual(LOGS);
      expect(receipts).toEqual([[BLOCK, 1_200]]);
    }
  });

  it('is read from its receipts by its hash', async () => {
    const { node, receipts } = floodedNode(0);
    await expect(transfersOfBlock(node, '0xb7', PAID as Hex[], async () => 'too-much')).resolves.toEqual(LOGS);
    expect(receipts).toEqual([['0xb7', 3]]);
  });

  it('is unavailable while the node refuses the receipts as well', async () => {
    const { node, asked } = floodedNode(0, { hasReceipts: false });
    await expect(logsOf(node, anyone)).rejects.toBeInstanceOf(Unavailable);
    // Without asking for every other wallet first: a node that refuses everything is left quickly.
    expect(asked).toEqual([null, 500, 63, 8, 1]);
  });

  it('does not have the receipts of other blocks read', async () => {
    const { node, receipts } = floodedNode(0);
    await expect(logsOf(node, anyone, [0, 30])).resolves.toEqual(LOGS);
    expect(receipts).toEqual([[BLOCK, 1_200]]);
  });

  it('is the only block that is read by wallets', async () => {
    const { node, asked } = floodedNode();
    await expect(logsOf(node, anyone, [0, 30])).resolves.toEqual(LOGS);
    expect(asked.filter((count) => count !== null)).toEqual([500, 500, 200]);
  });
});

describe('transfers to more wallets than fit into one request', () => {
  it('are requested in groups', async () => {
    const sizes: number[] = [];
    await inGroups(WALLETS, async (group) => {
      sizes.push(group.length);
      return [];
    });
    expect(sizes).toEqual([500, 500, 200]);
  });
});
