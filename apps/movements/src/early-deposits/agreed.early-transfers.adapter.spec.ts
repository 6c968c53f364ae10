import { Unavailable } from '@ponte/kernel';
import type { Hex } from '../chain/block.port';
import { NodeLogs } from '../transfer-logs/node-logs.adapter';
import type { LogNode, TransferLog } from '../transfer-logs/transfer-logs.port';
import { AgreedEarlyTransfers } from './agreed.early-transfers.adapter';

const TIP = { number: 9, hash: '0x9' } as const;
const [TO, OTHER]: readonly Hex[] = ['0xa', '0xb'];
const transfer = (logIndex: number, blockNumber = 5): TransferLog => ({
  asset: 'eth-base/usdc',
  from: '0xf',
  to: TO as Hex,
  units: 1n,
  blockNumber,
  blockHash: `0x${blockNumber}`,
  txHash: '0xt',
  logIndex,
});
const nodeWith = (logs: readonly TransferLog[]): LogNode =>
  ({
    blockWithTime: async (number: number) => ({ number, hash: `0x${number}`, time: 0 }),
    transferLogs: async () => logs,
  }) as unknown as LogNode;
const transfersOf = async (...nodes: LogNode[]) =>
  (
    await new AgreedEarlyTransfers(nodes.map((node) => new NodeLogs(node))).before({ last: 9, most: 5 }, TIP, [
      TO as Hex,
      OTHER as Hex,
    ])
  ).transfers;

describe('the transfers to new wallets', () => {
  it('are counted once, although a node returns a log twice', async () => {
    const logs = [transfer(0), transfer(1), transfer(0, 6)];
    const twice = [...logs, ...logs];
    expect(await transfersOf(nodeWith(twice))).toEqual(logs);
    expect(await transfersOf(nodeWith(logs), nodeWith(twice))).toEqual(logs);
  });

  it('are found with two nodes when a third one refuses every search', async () => {
    const logs = [transfer(0), transfer(1)];
    const refusing: LogNode = {
      ...nodeWith([]),
      transferLogs: async () => 'too-much',
      blockTransfers: async () => 'too-much',
      receiptTransfers: () => Promise.reject(new Unavailable('chain-unavailable')),
    };
    expect(await transfersOf(refusing, nodeWith(logs), nodeWith(logs))).toEqual(logs);
  });
});
