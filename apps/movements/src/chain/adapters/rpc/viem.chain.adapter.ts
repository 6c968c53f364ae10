import { chainIdOf } from '@ponte/kernel';
import { type HttpTransport, type PublicClient, createPublicClient, fallback } from 'viem';
import type {
  BlockId,
  Broadcast,
  EvmChain,
  FeeQuote,
  FinalityEvidence,
  FinalityQuestion,
  Head,
  Hex,
  MinedPlace,
  MintRequest,
  ReferenceTaker,
  SharePrice,
  TokenState,
  TransactionStatus,
} from '../../chain.port';
import { broadcastToAll } from '../broadcast/broadcast-to-all';
import type { NodeAnswers } from '../broadcast/node-answers';
import { agreedEvidence, isMined, isMinedAt, seenByAny, seenByEnough } from './agreement';
import { NodeCertificates } from './node.certificate-chain.adapter';
import type { Finality } from '../chain-properties';
import { CheckGate } from '../check-gate';
import { type Deployment, contractOf } from '../deployment';
import { DeployedContracts } from '../deployed-contracts';
import { checkDeployment, checkNodes } from '../deployment-check';
import { gasBalanceOn } from '../gas-balance';
import { PolledHeads, type Polling } from '../heads/polled-heads';
import { NodeHeads } from '../nodes/node-heads';
import { proposedFees } from '../nodes/proposed-fees';
import { provenNodes } from '../nodes/proven-nodes';
import { MintSearches } from './mint-searches';
import { JsonRpcNode } from './json-rpc-node';
import { ChainNode } from './node';
import { RpcLogNode } from '../../../transfer-logs/rpc.transfer-logs.adapter';

interface ViemChainOptions {
  readonly deployment: Deployment;
  /** JSON-RPC endpoints in order of preference, as far as none is behind. A broadcast goes to all of them. */
  readonly urls: readonly string[];
  /** A fraction of the block time: viem's own default would allow only 4 transactions a second. */
  readonly pollingMs?: Polling['pollingMs'] | undefined;
  readonly pace?: Polling['pace'];
  /** Timeout of one request until its answer has been read, ms. */
  readonly timeoutMs?: number;
  readonly finality?: Finality;
  /** Gets what each node answers to signed bytes. */
  readonly answers?: NodeAnswers | undefined;
  /** If set, no node is used before `check` has succeeded. */
  readonly checksFirst?: boolean;
}

const POLLING_MS = 500;
/** A healthy node answers within milliseconds. A longer wait counts as an outage, and the caller tries again. */
const TIMEOUT_MS = 5_000;

const clientOver = (transports: readonly HttpTransport[]): PublicClient =>
  createPublicClient({ transport: fallback(transports, { retryCount: 1 }), cacheTime: 0 });

/**
 * The chain port over JSON-RPC. A read uses one endpoint, and a broadcast goes to all of them. Evidence that decides
 * whether money is returned needs two endpoints to agree.
 */
export class ViemChain extends DeployedContracts implements EvmChain {
  readonly logNodes: readonly RpcLogNode[];
  readonly certificates: NodeCertificates;
  private readonly gate: CheckGate;
  private readonly unguarded: readonly HttpTransport[];
  /** In the order of the URLs. */
  readonly nodes: readonly ChainNode[];
  private readonly searches: MintSearches;
  /** Reads from one of the nodes. */
  readonly reads: NodeHeads<ChainNode>;
  private readonly polled: PolledHeads;
  private readonly answers: NodeAnswers | undefined;

  constructor({
    deployment,
    urls,
    pollingMs = POLLING_MS,
    pace,
    timeoutMs = TIMEOUT_MS,
    finality = 'finalized-tag',
    answers,
    checksFirst = false,
  }: ViemChainOptions) {
    super(deployment);
    this.answers = answers;
    this.unguarded = provenNodes(urls, chainIdOf(deployment.chain), timeoutMs);
    this.gate = new CheckGate(!checksFirst);
    const transports = this.unguarded.map((transport) => this.gate.guard(transport));
    this.nodes = transports.map((transport) => new ChainNode({ transport, deployment, finality }));
    this.reads = new NodeHeads(this.nodes);
    this.polled = new PolledHeads(this.reads, { pollingMs, pace });
    this.searches = new MintSearches(this.nodes, deployment);
    this.logNodes = this.nodes.map((node) => new RpcLogNode(node, deployment));
    this.certificates = new NodeCertificates(this.reads, this.nodes, deployment);
  }

  /**
   * Every node that answers must serve the chain: each of them is read as soon as those before it do not answer. One
   * that does not answer now is asked before it is read.
   */
  async check(): Promise<void> {
    await checkDeployment(clientOver(this.unguarded), this.deployment);
    const nodes = this.unguarded.map((transport) => new JsonRpcNode(transport));
    await checkNodes(nodes, this.deployment.chain);
    this.gate.open();
  }

  broadcast(raw: Hex): Promise<Broadcast> {
    this.polled.expectHead();
    return broadcastToAll(
      this.nodes,
      (node) => node.broadcast(raw),
      (node, answer) => this.answers?.note(this.nodes.indexOf(node) + 1, answer, raw),
    );
  }

  transaction(hash: Hex): Promise<TransactionStatus> {
    return this.reads.answer((node) => node.transaction(hash));
  }

  blockAt(number: number): Promise<BlockId | null> {
    return this.reads.answer(async (node) => {
      const block = await node.block(number);
      return block && { number, hash: block.hash };
    });
  }

  headBlock(): Promise<BlockId> {
    return this.reads.answer((node) => node.headBlock());
  }

  async tokensAt(block: BlockId, asset: MintRequest['asset'], holders: readonly Hex[]): Promise<TokenState> {
    const token = contractOf(this.deployment, asset);
    return this.reads.answer((node) => node.tokensAt(block, token, holders));
  }

  minedAnywhere(hash: Hex): Promise<boolean> {
    return seenByAny(this.nodes, async (node) => isMined(await node.transaction(hash)));
  }

  agreedMined(hash: Hex, place: MinedPlace): Promise<boolean> {
    return seenByEnough(this.nodes, async (node) => isMinedAt(await node.transaction(hash), place));
  }

  nextNonce(sender: Hex, at: 'latest' | 'final'): Promise<number> {
    return this.reads.answer(async (node) =>
      node.transactionCount(sender, at === 'latest' ? at : await node.finalBlock()),
    );
  }

  atFinality(question: FinalityQuestion): Promise<FinalityEvidence> {
    return agreedEvidence(this.nodes, question);
  }

  feeQuote(): Promise<FeeQuote> {
    return proposedFees(this.reads.upToDate(), (node) => node.feeQuote());
  }

  async tokenBalance(asset: MintRequest['asset'], holder: Hex): Promise<bigint> {
    const token = contractOf(this.deployment, asset);
    return this.reads.answer((node) => node.tokenBalance(token, holder, 'latest'));
  }

  async sharePrice(asset: MintRequest['asset']): Promise<SharePrice> {
    const vault = contractOf(this.deployment, asset);
    return this.reads.answer((node) => node.sharePrice(vault));
  }

  taken(by: ReferenceTaker, reference: Hex): Promise<boolean> {
    return this.reads.answer((node) => node.taken(by, reference, 'latest'));
  }

  takenAnywhere(by: ReferenceTaker, reference: Hex): Promise<boolean> {
    return seenByAny(this.nodes, (node) => node.taken(by, reference, 'latest'));
  }

  isOperator(of: ReferenceTaker, address: Hex): Promise<boolean> {
    return seenByAny(this.nodes, async (node) => (await node.role(of, address, 'latest')).isOperator);
  }

  gasBalance(holder: Hex): Promise<bigint> {
    return this.reads.answer((node) => gasBalanceOn(node, this.chain, holder));
  }

  takenIn(by: ReferenceTaker, reference: Hex, since: number): Promise<Hex | null> {
    return this.searches.takenIn(by, reference, since);
  }

  heads(signal: AbortSignal): AsyncGenerator<Head> {
    return this.polled.follow(signal);
  }
}
