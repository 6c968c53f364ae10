import { Unavailable, assetOf, chainIdOf } from '@ponte/kernel';
import { type PublicClient, createPublicClient, fallback, http, keccak256 } from 'viem';
import type {
  BlockId,
  Broadcast,
  EvmChain,
  FeeQuote,
  FinalityEvidence,
  FinalityQuestion,
  Head,
  Hex,
  MintRequest,
  RedemptionRequest,
  ReferenceTaker,
  SharePrice,
  TokenSendRequest,
  TokenState,
  TransactionStatus,
  TransferRequest,
} from '../../chain.port';
import { pause } from '../pause';
import { TOKEN_ABI } from './abi';
import { agreedEvidence, seenByAny } from './agreement';
import { broadcastOutcomeOf, outageOf } from './broadcast-outcome';
import { mintCall, redeemCall, sendTokenCall, transferCall } from './calls';
import { NodeCertificates } from './node-certificates';
import { walletAddress } from '../custody';
import { type Deployment, contractOf, contractsIn, tokensOn } from '../deployment';
import { checkCertificates, checkCustody, decimalsOf } from '../deployment-check';
import { isTooMuch } from './log-range';
import { MintSearch } from './mint-search';
import { readTaken, takingOf } from './references';
import { ChainNode, type Finality, type RawBlock, firstAnswer } from './node';
import type { Pace } from './pace';
import { RpcLogNode } from '../../../token-deposits/rpc-transfer-logs.adapter';

export interface ViemChainOptions {
  readonly deployment: Deployment;
  /** JSON-RPC endpoints: the first that answers is read, the others stand in. */
  readonly urls: readonly string[];
  /**
   * Between two looks at the head, ms. A fraction of the block time: viem's own default would allow 4 transactions a
   * second.
   */
  readonly pollingMs?: number;
  /** In the place of `pollingMs`, where the chain can rest. */
  readonly pace?: Pick<Pace, 'moved' | 'next'>;
  /** For one request, ms. */
  readonly timeoutMs?: number;
  readonly finality?: Finality;
}

const POLLING_MS = 500;
/** A node that is well answers within milliseconds; longer than this is an outage, and the caller comes again. */
const TIMEOUT_MS = 5_000;
/** Sequencers and validators drop a tip of nothing. 0.001 gwei, what Base takes as its least. */
const LEAST_TIP = 1_000_000n;
/** The base fee grows by an eighth a block at most: this covers nine full blocks in a row. */
const BASE_FEE_HEADROOM = 3n;

/**
 * The port over JSON-RPC. Reads of one state go to one endpoint; what decides about money that goes back needs two of
 * them to agree.
 */
export class ViemChain implements EvmChain {
  readonly chain;
  readonly chainId;
  readonly logNodes: readonly RpcLogNode[];
  readonly certificates: NodeCertificates;
  private readonly client: PublicClient;
  private readonly nodes: readonly ChainNode[];
  private readonly searches: Readonly<Record<ReferenceTaker, MintSearch>> = {
    minter: new MintSearch(),
    custody: new MintSearch(),
    certificates: new MintSearch(),
  };
  private readonly deployment: Deployment;
  private readonly pollingMs: number;
  private readonly pace: Pick<Pace, 'moved' | 'next'> | undefined;

  constructor({
    deployment,
    urls,
    pollingMs = POLLING_MS,
    pace,
    timeoutMs = TIMEOUT_MS,
    finality = 'finalized-tag',
  }: ViemChainOptions) {
    this.chain = deployment.chain;
    this.chainId = chainIdOf(deployment.chain);
    this.deployment = deployment;
    this.pollingMs = pollingMs;
    this.pace = pace;
    // batch: what is asked in the same turn goes in one HTTP request.
    const transports = urls.map((url) =>
      http(url, { timeout: timeoutMs, retryCount: 0, batch: { batchSize: 100, wait: 0 } }),
    );
    this.nodes = transports.map(
      (transport) =>
        new ChainNode({
          transport,
          minter: deployment.minter,
          custody: deployment.custody,
          certificates: deployment.certificates,
          finality,
        }),
    );
    this.logNodes = this.nodes.map((node) => new RpcLogNode(node, deployment, isTooMuch));
    this.client = createPublicClient({
      transport: fallback(transports, { retryCount: 1 }),
      pollingInterval: pollingMs,
      cacheTime: 0,
    });
    this.certificates = new NodeCertificates(this.client, this.nodes, deployment);
  }

  async check(): Promise<void> {
    const { client, deployment, chain, chainId } = this;
    const actual = await this.read(client.getChainId());
    if (actual !== chainId) throw new Error(`the node of ${chain} is of chain ${actual}, not ${chainId}`);
    const code = await this.read(client.getCode({ address: deployment.minter }));
    if (code === undefined) throw new Error(`there is no minter contract at ${deployment.minter} on ${chain}`);
    await checkCustody(client, deployment);
    await checkCertificates(client, deployment);
    for (const asset of tokensOn(chain)) {
      const address = deployment.tokens[asset];
      const { onChainDecimals } = assetOf(asset);
      const decimals = address === undefined ? onChainDecimals : await decimalsOf(client, address);
      if (decimals !== onChainDecimals)
        throw new Error(`${asset} at ${address} has ${decimals ?? 'no'} decimals, not ${onChainDecimals}`);
    }
  }

  async broadcast(raw: Hex): Promise<Broadcast> {
    try {
      this.pace?.moved();
      await this.client.sendRawTransaction({ serializedTransaction: raw });
      return { outcome: 'taken' };
    } catch (error) {
      const outcome = broadcastOutcomeOf(error);
      const mayBeOurs = outcome.outcome === 'refused' && outcome.reason === 'nonce-used';
      return mayBeOurs ? this.heldUnder(raw, outcome) : outcome;
    }
  }

  /** "nonce too low" is also what a node says to bytes that it has mined itself. */
  private async heldUnder(raw: Hex, otherwise: Broadcast): Promise<Broadcast> {
    try {
      const known = await this.transaction(keccak256(raw));
      return known.status === 'missing' ? otherwise : { outcome: 'taken' };
    } catch (error) {
      return { outcome: 'unknown', message: outageOf(error) };
    }
  }

  transaction(hash: Hex): Promise<TransactionStatus> {
    return firstAnswer(this.nodes, (node) => node.transaction(hash));
  }

  blockAt(number: number): Promise<BlockId | null> {
    return firstAnswer(this.nodes, async (node) => {
      const block = await node.rpc<RawBlock | null>('eth_getBlockByNumber', [hexOf(number), false]);
      return block && { number, hash: block.hash };
    });
  }

  headBlock(): Promise<BlockId> {
    return firstAnswer(this.nodes, (node) => node.headBlock());
  }

  async tokensAt(block: BlockId, asset: MintRequest['asset'], holders: readonly Hex[]): Promise<TokenState> {
    const token = contractOf(this.deployment, asset);
    return firstAnswer(this.nodes, (node) => node.tokensAt(block, token, holders));
  }

  minedAnywhere(hash: Hex): Promise<boolean> {
    return seenByAny(this.nodes, async (node) => isMined(await node.transaction(hash)));
  }

  nextNonce(sender: Hex, at: 'latest' | 'final'): Promise<number> {
    return firstAnswer(this.nodes, async (node) => {
      const block = at === 'latest' ? 'latest' : { blockHash: (await node.finalBlock()).hash, requireCanonical: true };
      return Number(await node.rpc<Hex>('eth_getTransactionCount', [sender, block]));
    });
  }

  atFinality(question: FinalityQuestion): Promise<FinalityEvidence> {
    return agreedEvidence(this.nodes, question);
  }

  async feeQuote(): Promise<FeeQuote> {
    const [block, tip] = await Promise.all([
      this.rpc<RawBlock>('eth_getBlockByNumber', ['latest', false]),
      this.rpc<Hex>('eth_maxPriorityFeePerGas', []),
    ]);
    const maxPriorityFeePerGas = BigInt(tip) > LEAST_TIP ? BigInt(tip) : LEAST_TIP;
    return {
      maxPriorityFeePerGas,
      maxFeePerGas: BigInt(block.baseFeePerGas ?? 0) * BASE_FEE_HEADROOM + maxPriorityFeePerGas,
    };
  }

  async tokenBalance(asset: MintRequest['asset'], holder: Hex): Promise<bigint> {
    const address = contractOf(this.deployment, asset);
    return this.read(this.client.readContract({ address, abi: TOKEN_ABI, functionName: 'balanceOf', args: [holder] }));
  }

  async sharePrice(asset: MintRequest['asset']): Promise<SharePrice> {
    const vault = contractOf(this.deployment, asset);
    return firstAnswer(this.nodes, (node) => node.sharePrice(vault));
  }

  taken(by: ReferenceTaker, reference: Hex): Promise<boolean> {
    return readTaken(this.client, this.deployment, by, reference, (pending) => this.read(pending));
  }

  walletAddress(salt: Hex): Hex {
    return walletAddress(this.deployment.custody, salt);
  }

  gasBalance(holder: Hex): Promise<bigint> {
    return this.read(this.client.getBalance({ address: holder }));
  }

  get contracts(): ReadonlySet<Hex> {
    return contractsIn(this.deployment);
  }

  takenIn(by: ReferenceTaker, reference: Hex, since: number): Promise<Hex | null> {
    return firstAnswer(this.nodes, (node) =>
      this.searches[by].find(
        {
          head: async () => Number(await node.rpc<Hex>('eth_blockNumber', [])),
          timeOf: async (block) => {
            const found = await node.rpc<RawBlock | null>('eth_getBlockByNumber', [hexOf(block), false]);
            if (found === null) throw new Unavailable('chain-unavailable', `the node does not have block ${block}`);
            return Number(found.timestamp) * 1_000;
          },
          takenIn: (of, from, to) => this.search(node, by, of, from, to),
        },
        reference,
        since,
      ),
    );
  }

  private async search(
    node: ChainNode,
    by: ReferenceTaker,
    reference: Hex,
    from: number,
    to: number,
  ): Promise<Hex | null | 'too-much'> {
    try {
      const filter = { ...takingOf(this.deployment, by, reference), fromBlock: hexOf(from), toBlock: hexOf(to) };
      const [first] = await node.ask<readonly { readonly transactionHash: Hex }[]>('eth_getLogs', [filter]);
      return first?.transactionHash ?? null;
    } catch (error) {
      // Providers refuse a range that is too wide in many words and codes, some of them as an HTTP error or by not
      // answering in time.
      if (isTooMuch(error)) return 'too-much';
      throw new Unavailable('chain-unavailable', outageOf(error));
    }
  }

  mintCall(request: MintRequest) {
    return mintCall(this.deployment, request);
  }

  sendTokenCall(request: TokenSendRequest) {
    return sendTokenCall(this.deployment, request);
  }

  redeemCall(request: RedemptionRequest) {
    return redeemCall(this.deployment, request);
  }

  transferCall(request: TransferRequest) {
    return transferCall(this.deployment, request);
  }

  async *heads(signal: AbortSignal): AsyncGenerator<Head> {
    let seen: Hex | undefined;
    while (!signal.aborted) {
      const block = await this.rpc<RawBlock>('eth_getBlockByNumber', ['latest', false]).catch(() => undefined);
      if (block !== undefined && block.hash !== seen && !signal.aborted) {
        if (seen !== undefined) this.pace?.moved();
        seen = block.hash;
        yield { number: Number(block.number), hash: block.hash, time: Number(block.timestamp) * 1_000 };
      }
      await (this.pace?.next(signal) ?? pause(this.pollingMs, signal));
    }
  }

  /** One typed call; viem's own types of raw methods follow its schema and say less than what nodes answer. */
  private rpc<T>(method: string, params: readonly unknown[]): Promise<T> {
    const request = this.client.request as (call: { method: string; params: readonly unknown[] }) => Promise<T>;
    return this.read(request({ method, params }));
  }

  private async read<T>(pending: Promise<T>): Promise<T> {
    try {
      return await pending;
    } catch (error) {
      throw new Unavailable('chain-unavailable', outageOf(error));
    }
  }
}

const isMined = (found: TransactionStatus): boolean => found.status === 'mined' && found.succeeded;

const hexOf = (block: number): Hex => `0x${block.toString(16)}`;
