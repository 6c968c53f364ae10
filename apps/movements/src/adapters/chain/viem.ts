import { Unavailable, assetOf, chainIdOf } from '@ponte/kernel';
import { type PublicClient, createPublicClient, fallback, http, keccak256 } from 'viem';
import type { Broadcast, EvmChain, FeeQuote, Head, Hex, MinedTransaction, MintWish, RedemptionRequest, ReferenceTaker, TokenSendWish, TransactionStatus, TransferWish } from '../../ports/chain';
import { pause } from '../pause';
import { CUSTODY_ABI, TOKEN_ABI, VAULT_ABI } from './abi';
import { broadcastOutcomeOf, isOutage, outageOf } from './broadcast-outcome';
import { mintCall, redeemCall, sendTokenCall, transferCall } from './calls';
import { walletAddress } from './custody';
import { type Deployment, contractOf, contractsIn, tokensOn } from './deployment';
import { readTaken, readTakenIn } from './references';
import { revertReasonOf } from './revert-reason';

export interface ViemChainOptions {
  readonly deployment: Deployment;
  /** JSON-RPC endpoints: the first that answers is read, the others stand in. */
  readonly urls: readonly string[];
  /** Between two looks at the head, ms. A fraction of the block time: viem's own default would allow 4 transactions a second. */
  readonly pollingMs?: number;
  /** For one request, ms. */
  readonly timeoutMs?: number;
  /** The block that can no longer go away: the node's `finalized` tag, or where the chain has none, this many confirmations. */
  readonly finality?: 'finalized-tag' | { readonly confirmations: number };
}

/** One whole share, 18 decimals. */
const ONE_SHARE = 10n ** 18n;
const POLLING_MS = 500;
/** A node that is well answers within milliseconds; longer than this is an outage, and the caller comes again. */
const TIMEOUT_MS = 5_000;
/** Sequencers and validators drop a tip of nothing. 0.001 gwei, what Base takes as its least. */
const LEAST_TIP = 1_000_000n;
/** The base fee grows by an eighth a block at most: this covers nine full blocks in a row. */
const BASE_FEE_HEADROOM = 3n;

/** A salt that no wallet has: ids of wallets are shorter. */
const PROBE: Hex = `0x${'f'.repeat(64)}`;

interface RawReceipt {
  readonly status: Hex;
  readonly transactionHash: Hex;
  readonly blockNumber: Hex;
  readonly blockHash: Hex;
  readonly gasUsed: Hex;
  readonly effectiveGasPrice: Hex;
}

/** The port over JSON-RPC. Trusts its endpoints: for agreement of several, compare `transaction` of one instance each. */
export class ViemChain implements EvmChain {
  readonly chain;
  readonly chainId;
  private readonly client: PublicClient;
  private readonly deployment: Deployment;
  private readonly pollingMs: number;
  private readonly finality: NonNullable<ViemChainOptions['finality']>;

  constructor({ deployment, urls, pollingMs = POLLING_MS, timeoutMs = TIMEOUT_MS, finality = 'finalized-tag' }: ViemChainOptions) {
    this.chain = deployment.chain;
    this.chainId = chainIdOf(deployment.chain);
    this.deployment = deployment;
    this.pollingMs = pollingMs;
    this.finality = finality;
    // batch: what is asked in the same turn goes in one HTTP request.
    const transports = urls.map((url) => http(url, { timeout: timeoutMs, retryCount: 0, batch: { batchSize: 100, wait: 0 } }));
    this.client = createPublicClient({ transport: fallback(transports, { retryCount: 1 }), pollingInterval: pollingMs, cacheTime: 0 });
  }

  async check(): Promise<void> {
    const { client, deployment, chain, chainId } = this;
    const actual = await this.read(client.getChainId());
    if (actual !== chainId) throw new Error(`the node of ${chain} is of chain ${actual}, not ${chainId}`);
    const code = await this.read(client.getCode({ address: deployment.minter }));
    if (code === undefined) throw new Error(`there is no minter contract at ${deployment.minter} on ${chain}`);
    await this.checkCustody();
    for (const asset of tokensOn(chain)) {
      const address = deployment.tokens[asset];
      const { onChainDecimals } = assetOf(asset);
      const decimals = address === undefined ? onChainDecimals : await this.decimalsOf(address);
      if (decimals !== onChainDecimals) throw new Error(`${asset} at ${address} has ${decimals ?? 'no'} decimals, not ${onChainDecimals}`);
    }
  }

  /** Wallets would be at other addresses than those that customers were given. */
  private async checkCustody(): Promise<void> {
    const { chain, deployment: { custody } } = this;
    const there = await this.client.readContract({ address: custody, abi: CUSTODY_ABI, functionName: 'walletAt', args: [PROBE] }).catch((error: unknown) => {
      if (isOutage(error)) throw new Unavailable('chain-unavailable', outageOf(error));
      return undefined;
    });
    if (there?.toLowerCase() !== walletAddress(custody, PROBE)) throw new Error(`there is no custody contract of ours at ${custody} on ${chain}`);
  }

  /** Undefined for an address that is no token. */
  private async decimalsOf(address: Hex): Promise<number | undefined> {
    try {
      return await this.client.readContract({ address, abi: TOKEN_ABI, functionName: 'decimals' });
    } catch (error) {
      if (isOutage(error)) throw new Unavailable('chain-unavailable', outageOf(error));
      return undefined;
    }
  }

  async broadcast(raw: Hex): Promise<Broadcast> {
    try {
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

  async transaction(hash: Hex): Promise<TransactionStatus> {
    const [receipt, held, head] = await Promise.all([
      this.rpc<RawReceipt | null>('eth_getTransactionReceipt', [hash]),
      this.rpc<unknown>('eth_getTransactionByHash', [hash]),
      this.rpc<Hex>('eth_blockNumber', []),
    ]);
    if (receipt === null) return { status: held === null ? 'missing' : 'pooled' };
    return this.mined(receipt, Number(head));
  }

  private async mined(receipt: RawReceipt, head: number): Promise<MinedTransaction> {
    const succeeded = receipt.status === '0x1';
    const [block, revertReason] = await Promise.all([
      this.rpc<{ timestamp: Hex } | null>('eth_getBlockByHash', [receipt.blockHash, false]),
      succeeded ? null : revertReasonOf(this.client, receipt.transactionHash),
    ]);
    if (block === null) throw new Unavailable('chain-unavailable', 'the block went away while it was read');
    const blockNumber = Number(receipt.blockNumber);
    return {
      status: 'mined',
      succeeded,
      revertReason,
      blockNumber,
      blockHash: receipt.blockHash,
      blockTime: Number(block.timestamp) * 1_000,
      // A lagging node may answer the head before the receipt's block.
      confirmations: Math.max(1, head - blockNumber + 1),
      feePaid: BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice),
    };
  }

  async nextNonce(sender: Hex, at: 'latest' | 'final'): Promise<number> {
    const block = at === 'latest' ? 'latest' : await this.finalBlock();
    return Number(await this.rpc<Hex>('eth_getTransactionCount', [sender, block]));
  }

  private async finalBlock(): Promise<string> {
    const { finality } = this;
    if (finality === 'finalized-tag') return 'finalized';
    const head = Number(await this.rpc<Hex>('eth_blockNumber', []));
    return `0x${Math.max(0, head - finality.confirmations + 1).toString(16)}`;
  }

  async feeQuote(): Promise<FeeQuote> {
    const [block, tip] = await Promise.all([
      this.rpc<{ baseFeePerGas?: Hex }>('eth_getBlockByNumber', ['latest', false]),
      this.rpc<Hex>('eth_maxPriorityFeePerGas', []),
    ]);
    const maxPriorityFeePerGas = BigInt(tip) > LEAST_TIP ? BigInt(tip) : LEAST_TIP;
    return { maxPriorityFeePerGas, maxFeePerGas: BigInt(block.baseFeePerGas ?? 0) * BASE_FEE_HEADROOM + maxPriorityFeePerGas };
  }

  async tokenBalance(asset: MintWish['asset'], holder: Hex): Promise<bigint> {
    const address = contractOf(this.deployment, asset);
    return this.read(this.client.readContract({ address, abi: TOKEN_ABI, functionName: 'balanceOf', args: [holder] }));
  }

  async sharePrice(asset: MintWish['asset']): Promise<{ perShare: bigint; blockNumber: number }> {
    const address = contractOf(this.deployment, asset);
    const blockNumber = await this.read(this.client.getBlockNumber());
    const call = { address, abi: VAULT_ABI, functionName: 'convertToAssets', args: [ONE_SHARE], blockNumber } as const;
    return { perShare: await this.read(this.client.readContract(call)), blockNumber: Number(blockNumber) };
  }

  minted(reference: Hex): Promise<boolean> {
    return this.taken('minter', reference);
  }

  mintedBy(reference: Hex): Promise<Hex | null> {
    return this.takenIn('minter', reference);
  }

  taken(by: ReferenceTaker, reference: Hex): Promise<boolean> {
    return readTaken(this.client, this.deployment, by, reference, (pending) => this.read(pending));
  }

  takenIn(by: ReferenceTaker, reference: Hex): Promise<Hex | null> {
    return readTakenIn(this.client, this.deployment, by, reference, (pending) => this.read(pending));
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

  mintCall(wish: MintWish) {
    return mintCall(this.deployment, wish);
  }

  sendTokenCall(wish: TokenSendWish) {
    return sendTokenCall(this.deployment, wish);
  }

  redeemCall(request: RedemptionRequest) {
    return redeemCall(this.deployment, request);
  }

  transferCall(wish: TransferWish) {
    return transferCall(this.deployment, wish);
  }

  async *heads(signal: AbortSignal): AsyncGenerator<Head> {
    let seen: Hex | undefined;
    while (!signal.aborted) {
      const block = await this.rpc<{ number: Hex; hash: Hex; timestamp: Hex }>('eth_getBlockByNumber', ['latest', false]).catch(() => undefined);
      if (block !== undefined && block.hash !== seen && !signal.aborted) {
        seen = block.hash;
        yield { number: Number(block.number), hash: block.hash, time: Number(block.timestamp) * 1_000 };
      }
      await pause(this.pollingMs, signal);
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
