import { join, resolve } from 'node:path';
import { CHAINS, type Chain, chainIdOf } from '@ponte/kernel';
import type { Keystore } from '../../../signer/signer.port';
import type { Deployment } from '../deployment';
import { AnvilProcess } from './anvil-process';
import type { Parties } from './contracts-plan';
import { ensureContracts } from './deploy-contracts';
import { LocalMiner } from './local-miner';
import { Pace } from '../heads/pace';
import { ViemChain } from '../rpc/viem.chain.adapter';

export interface LocalChainsOptions {
  /** A folder inside the data folder, used for the chains alone. The caller holds the lock of the data folder. */
  readonly folder: string;
  /** A promise allows the nodes to start while the keystore opens. */
  readonly signer: Keystore | Promise<Keystore>;
  readonly operatorKeyIds: readonly string[];
  readonly treasuryKeyId: string;
  readonly chains?: readonly Chain[];
  /** Interval between two blocks, ms. With null, the chains mine only the blocks that the caller asks the node for. */
  readonly blockMs?: number | null;
  /** Confirmations after which a block is final. The default is 1, because a local chain never reorganizes. */
  readonly confirmations?: number;
}

interface LocalChain {
  readonly chain: ViemChain;
  readonly url: string;
  readonly pid: number | undefined;
  readonly deployment: Deployment;
  /**
   * True when the chain is new or lost its state, so that every recorded transaction must be sent again. When it is
   * false, some transactions may still be missing.
   */
  readonly deployedNow: boolean;
}

const BLOCK_MS = 1_000;
/** Polls of the head per block interval: a new block is noticed within a fifth of the interval. */
const POLLS_PER_BLOCK = 5;
const MIN_POLL_MS = 20;
/**
 * A chain without transactions for this long is idle. Transactions of this process end the idle state at once; those of
 * other processes are mined at the next check of the idle chain.
 */
const BUSY_MS = 10_000;
const REST_MS = 10_000;

/**
 * Local chains: one anvil process per chain, with our contracts deployed on it. They end with this process or with
 * `stop`.
 */
export class LocalChains {
  private constructor(
    private readonly all: ReadonlyMap<Chain, LocalChain>,
    private readonly ends: ReadonlyArray<() => Promise<void>>,
  ) {}

  /** Starts all chains in parallel. If one of them fails, all are stopped. */
  static async start(options: LocalChainsOptions): Promise<LocalChains> {
    const { chains = CHAINS } = options;
    const ends: Array<() => Promise<void>> = [];
    const starts = await Promise.allSettled(
      chains.map(async (chain): Promise<[Chain, LocalChain]> => [chain, await startOne(chain, options, ends)]),
    );
    const failed = starts.find((start) => start.status === 'rejected');
    if (failed === undefined)
      return new LocalChains(
        new Map(starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))),
        ends,
      );
    await Promise.all(ends.map((end) => end()));
    throw failed.reason;
  }

  of(chain: Chain): LocalChain {
    const local = this.all.get(chain);
    if (local === undefined) throw new Error(`${chain} was not started`);
    return local;
  }

  async stop(): Promise<void> {
    await Promise.all(this.ends.map((end) => end()));
  }
}

/** The key that deploys the contracts. */
const DEPLOYER = 'deployer';

async function startOne(
  chain: Chain,
  options: LocalChainsOptions,
  ends: Array<() => Promise<void>>,
): Promise<LocalChain> {
  const { blockMs = BLOCK_MS, confirmations = 1 } = options;
  const folder = join(resolve(options.folder), chain);
  const [node, signer] = await Promise.all([
    AnvilProcess.start(folder, chainIdOf(chain)).then((started) => {
      ends.push(() => started.stop());
      return started;
    }),
    options.signer,
  ]);
  const { url } = node;
  const parties = await partiesOf(signer, options);
  const keys = { signer, deployerKeyId: DEPLOYER, parties };
  const { deployment, deployedNow } = await ensureContracts({ chain, url, folder, ...keys });
  const pollingMs = Math.max(MIN_POLL_MS, (blockMs ?? BLOCK_MS) / POLLS_PER_BLOCK);
  const paceOf = (busyMs: number) =>
    new Pace({ busyMs, restMs: REST_MS, busyForMs: BUSY_MS, now: () => performance.now() });
  const [mining, looking] = [paceOf(blockMs ?? BLOCK_MS), paceOf(pollingMs)];
  if (blockMs !== null) {
    const miner = new LocalMiner(url, mining, confirmations - 1, looking);
    ends.unshift(() => miner.stop());
  }
  const pace = {
    moved: () => {
      looking.moved();
      mining.moved();
    },
    next: (signal: AbortSignal) => looking.next(signal),
  };
  const port = new ViemChain({ deployment, urls: [url], pollingMs, pace, finality: { confirmations } });
  await port.check();
  return { chain: port, url, pid: node.pid, deployment, deployedNow };
}

async function partiesOf(signer: Keystore, { operatorKeyIds, treasuryKeyId }: LocalChainsOptions): Promise<Parties> {
  const [deployer, treasury, ...operators] = await Promise.all(
    [DEPLOYER, treasuryKeyId, ...operatorKeyIds].map((keyId) => signer.createKey(keyId)),
  );
  if (deployer === undefined || treasury === undefined || operators.length === 0)
    throw new Error('local chains need a deployer key, a treasury key and at least one operator key');
  return { deployer, operators, treasury };
}

/**
 * Ends the nodes that an earlier run left running on the folder, and starts none. Used before the folder is cleared.
 * The caller holds the lock of the data folder.
 */
export async function stopLeftoverNodes(folder: string): Promise<void> {
  await Promise.all(CHAINS.map((chain) => AnvilProcess.stopEarlier(join(resolve(folder), chain))));
}
