import { Unavailable } from '@ponte/kernel';
import type { Hex } from '../chain/block.port';
import { AgreedTransfers } from './agreed.deposit-transfers.adapter';
import type { OwnAddresses } from './deposit-transfers.port';
import type { LogNode, TransferLog } from '../transfer-logs/transfer-logs.port';

const hashOf = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`;
const [WALLET, OUTSIDER, OPERATOR]: readonly Hex[] = ['0xaa', '0xbb', '0xcc'];
const TIP = { number: 5_000, hash: hashOf(5_000) };

/** A transfer in the block of that number. */
const transfer = (blockNumber: number, changes: Partial<TransferLog> = {}): TransferLog => ({
  asset: 'eth-base/usdc',
  from: OUTSIDER as Hex,
  to: WALLET as Hex,
  units: BigInt(blockNumber),
  blockNumber,
  blockHash: hashOf(blockNumber),
  txHash: hashOf(1_000_000 + blockNumber),
  logIndex: 0,
  ...changes,
});

/** A node of one chain. It searches at most `most` blocks for logs at once, and notes how many it was asked for. */
function node(
  logs: readonly TransferLog[],
  { most = 10_000, sender = OUTSIDER as Hex, movesCertificate = false } = {},
) {
  const rangeSizes: number[] = [];
  const logNode: LogNode = {
    headBlock: async () => TIP,
    finalBlock: async () => TIP,
    blockWithTime: async (number) => ({ number, hash: hashOf(number), time: number * 1_000 }),
    transferLogs: async (from, to) => {
      rangeSizes.push(to - from + 1);
      if (to - from + 1 > most) return 'too-much';
      return logs.filter(({ blockNumber }) => blockNumber >= from && blockNumber <= to);
    },
    unitsHeld: async (_, holders) => holders.map(() => 0n),
    areDeployed: async (_, wallets) => wallets.map(() => false),
    blockTransfers: async (blockHash, recipients) =>
      logs.filter((log) => log.blockHash === blockHash && recipients.includes(log.to)),
    receiptTransfers: () => Promise.reject(new Unavailable('chain-unavailable')),
    minedTransaction: async (txHash) => {
      const log = logs.find((one) => one.txHash === txHash);
      return log ? { sender, blockHash: log.blockHash } : null;
    },
    hasMovement: async () => false,
    minedCount: async () => 0,
    certificateMoves: async (blockHash) =>
      movesCertificate ? logs.filter((log) => log.blockHash === blockHash).map(({ txHash }) => txHash) : [],
  };
  return Object.assign(logNode, { rangeSizes });
}

/** Reads every block up to the tip, and returns the numbers of those with deposits. */
async function blocksIn(nodes: readonly LogNode[], first = 0, scan = scanOf(nodes)): Promise<number[]> {
  const numbers: number[] = [];
  for (let from = first; from <= TIP.number;) {
    const { end, blocks } = await scan.read(from, TIP);
    numbers.push(...blocks.map(({ number }) => number));
    from = end.number + 1;
  }
  return numbers;
}

const oursWith = (wallets: readonly Hex[]): OwnAddresses => ({
  recipients: async () => [wallets],
  allWallets: async () => wallets,
  wallets: async (addresses) => new Set(addresses.filter((address) => wallets.includes(address))),
  senders: async () => new Set([OPERATOR as Hex]),
});
const scanOf = (nodes: readonly LogNode[]) => new AgreedTransfers(nodes, oursWith([WALLET as Hex]));

const LOGS = [3, 1_999, 2_000, 4_999, 5_000].map((number) => transfer(number));
const NUMBERS = LOGS.map(({ blockNumber }) => blockNumber);

describe('the deposits on which the nodes of a chain agree', () => {
  it('are found whatever number of blocks each node allows in one search', async () => {
    await expect(blocksIn([node(LOGS, { most: 7 })], 1_000)).resolves.toEqual(NUMBERS.slice(1));
    await expect(blocksIn([node(LOGS), node(LOGS, { most: 300 })])).resolves.toEqual(NUMBERS);
  });

  it('lag behind the highest final block that the nodes name now, and not behind one that a node has named before', async () => {
    for (const later of [async () => TIP, () => Promise.reject(new Unavailable('chain-unavailable'))]) {
      const lying = { ...node(LOGS), finalBlock: async () => ({ number: 1_000_000, hash: hashOf(1_000_000) }) };
      const scan = scanOf([lying, node(LOGS), node(LOGS)]);
      await expect(scan.final()).resolves.toEqual(TIP);
      expect(scan.highestNamed).toBe(1_000_000);
      lying.finalBlock = later;
      await scan.final();
      expect(scan.highestNamed).toBe(TIP.number);
    }
  });

  it('are unavailable while one of two nodes refuses every search', async () => {
    await expect(blocksIn([node(LOGS), node(LOGS, { most: 0 })])).rejects.toBeInstanceOf(Unavailable);
  });

  it('are those of the other two when a third node refuses every search', async () => {
    const [one, refusing, two] = [node(LOGS), node(LOGS, { most: 0 }), node(LOGS)];
    await expect(blocksIn([one, refusing, two])).resolves.toEqual(NUMBERS);
    // The pages of the others do not shrink with it.
    expect(Math.min(...one.rangeSizes.slice(0, -1))).toBeGreaterThanOrEqual(2_000);
    expect(two.rangeSizes.length).toBeLessThan(5);
  });
});

describe('a block with more transfers to wallets than a node returns at once', () => {
  const wallets = Array.from({ length: 500 }, (_, at): Hex => `0x${at.toString(16).padStart(40, 'a')}`);
  const logs = wallets.slice(0, 40).map((to, logIndex) => transfer(4_000, { to, logIndex, units: 1n }));
  /** A node that returns at most that many logs. */
  const limited = (most: number): LogNode => {
    const bounded = (found: readonly TransferLog[]) => (found.length > most ? 'too-much' : found);
    return Object.assign(node(logs), {
      transferLogs: async (from: number, to: number, recipients: readonly Hex[]) =>
        bounded(logs.filter((log) => from <= 4_000 && to >= 4_000 && recipients.includes(log.to))),
      blockTransfers: async (_: Hex, recipients: readonly Hex[]) =>
        bounded(logs.filter(({ to }) => recipients.includes(to))),
    });
  };
  const read = (...nodes: readonly LogNode[]) => blocksIn([], 3_990, new AgreedTransfers(nodes, oursWith(wallets)));

  it('is read in groups of wallets', async () => {
    await expect(read(limited(3), limited(1))).resolves.toEqual([4_000]);
  });

  it('is read from its receipts if a node refuses even the transfers to one wallet', async () => {
    const refusing = Object.assign(limited(0), { receiptTransfers: async () => logs });
    await expect(read(refusing, limited(1))).resolves.toEqual([4_000]);
  });

  it('is unavailable while a node refuses the receipts as well', async () => {
    await expect(read(limited(0))).rejects.toBeInstanceOf(Unavailable);
  });
});

describe('the deposits that a node reports', () => {
  const read = (logs: readonly TransferLog[], changes: Partial<LogNode> = {}) =>
    scanOf([Object.assign(node(logs), changes)]).read(4_000, TIP);

  it('are in the order of blocks and logs, without transfers of nothing and between wallets', async () => {
    const logs = [
      transfer(4_999),
      transfer(4_500, { logIndex: 2, txHash: '0x2' }),
      transfer(4_500, { logIndex: 1, txHash: '0x1' }),
      transfer(4_600, { units: 0n }),
      transfer(4_700, { from: WALLET as Hex }),
      transfer(4_800, { to: OUTSIDER as Hex }),
      transfer(4_850, { units: 1n }),
    ];
    const { blocks, end } = await read(logs);
    expect(end).toEqual(TIP);
    expect(blocks.map(({ number, transfers }) => [number, transfers.map(({ logIndex }) => logIndex)])).toEqual([
      [4_500, [1, 2]],
      [4_850, [0]],
      [4_999, [0]],
    ]);
  });

  it('are not used if a log is not in the block of its transaction', async () => {
    const log = transfer(4_999);
    const mined = { sender: OUTSIDER as Hex, blockHash: log.blockHash };
    for (const answer of [null, { ...mined, blockHash: hashOf(1) }])
      await expect(read([log], { minedTransaction: async () => answer })).rejects.toBeInstanceOf(Unavailable);
    const others = [[], [{ ...log, logIndex: 1 }], [{ ...log, units: 1n }], 'too-much' as const];
    for (const answer of others)
      await expect(read([log], { blockTransfers: async () => answer })).rejects.toBeInstanceOf(Unavailable);
    await expect(read([log], { minedTransaction: async () => mined })).resolves.toMatchObject({
      blocks: [{ number: 4_999 }],
    });
    const stray = transfer(4_999, { blockHash: hashOf(1), logIndex: 1, txHash: '0x9' });
    for (const logs of [[stray], [log, stray]]) await expect(read(logs)).rejects.toBeInstanceOf(Unavailable);
  });

  it('are searched in all blocks if there is no list of recipients', async () => {
    const ours = { ...oursWith([WALLET as Hex]), recipients: async () => null };
    const scan = new AgreedTransfers([node(LOGS)], ours);
    await expect(blocksIn([], 0, scan)).resolves.toEqual(NUMBERS);
  });

  it('are unavailable while two nodes disagree about an amount', async () => {
    const other = LOGS.map((log) => ({ ...log, units: log.units + 1n }));
    await expect(blocksIn([node(LOGS), node(other)])).rejects.toBeInstanceOf(Unavailable);
  });
});

describe('a transaction of one of our keys', () => {
  const sender = OPERATOR as Hex;

  it('makes no deposit: the service that requested it books its tokens', async () => {
    await expect(blocksIn([node(LOGS, { sender })])).resolves.toEqual([]);
  });

  it('makes one when it moves a certificate, because only its receiver can have moved tokens in it', async () => {
    await expect(blocksIn([node(LOGS, { sender, movesCertificate: true })])).resolves.toEqual(NUMBERS);
    const toOutside = LOGS.map((log) => ({ ...log, from: WALLET as Hex, to: OUTSIDER as Hex }));
    await expect(blocksIn([node(toOutside, { sender, movesCertificate: true })])).resolves.toEqual([]);
  });
});
