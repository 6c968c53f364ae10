import { createHash } from 'node:crypto';
import type { AssetId, Chain } from '@ponte/kernel';
import { Unavailable } from '@ponte/kernel';
import type { BlockId, Broadcast, Head, Hex } from '../../chain.port';
import type { Deployment } from '../deployment';
import { HeadFeed } from '../heads/head-feed';
import { SimulatedRoles } from './simulated-roles';
import { SimulatedState } from './simulated-state';
import type { SimulatedExecution, SimulatedTransaction } from './simulated-transaction';

export interface SimulatedBlock extends Head {
  readonly transactions: ReadonlyArray<SimulatedTransaction & SimulatedExecution>;
}

type PooledTransaction = SimulatedTransaction & {
  /** The number of the first block that may include it. */
  readonly notBefore: number;
};

/** Pool, blocks and state of a simulated chain. */
export class SimulatedBlocks {
  readonly feed = new HeadFeed();
  readonly roles = new SimulatedRoles();
  private readonly pool = new Map<Hex, PooledTransaction>();
  private readonly minedIn = new Map<Hex, SimulatedBlock>();
  private readonly initialBalances: Array<{ asset: AssetId; holder: Hex; units: bigint }> = [];
  private blocks: SimulatedBlock[];
  private fork = 0;
  private current: SimulatedState;

  constructor(
    private readonly chain: Chain,
    private readonly deployment: Deployment,
    private readonly now: () => number,
  ) {
    this.current = new SimulatedState(deployment, this.roles);
    this.blocks = [this.blockOf(0, [])];
  }

  get state(): SimulatedState {
    return this.current;
  }

  get head(): SimulatedBlock {
    return this.blocks.at(-1) ?? this.blockOf(0, []);
  }

  at(number: number): SimulatedBlock | undefined {
    return this.blocks[number];
  }

  /** Throws `Unavailable` when no block of the chain has that hash. */
  withHash(hash: Hex): SimulatedBlock {
    const block = this.blocks.findLast((one) => one.hash === hash);
    if (!block) throw new Unavailable('chain-unavailable', 'the node does not have the block');
    return block;
  }

  /** Throws `Unavailable` when the block is not part of the chain, or no longer. */
  assertHas({ number, hash }: BlockId): void {
    if (this.at(number)?.hash !== hash) throw new Unavailable('chain-unavailable', 'the node does not have the block');
  }

  isPooled(hash: Hex): boolean {
    return this.pool.has(hash);
  }

  blockWith(hash: Hex): SimulatedBlock | undefined {
    return this.minedIn.get(hash);
  }

  /** How many transactions of the sender have at least that many confirmations. */
  nonceAt(sender: Hex, confirmations: number): number {
    const young = confirmations <= 1 ? [] : this.blocks.slice(1 - confirmations).flatMap((block) => block.transactions);
    return this.current.nonceOf(sender) - young.filter((transaction) => transaction.sender === sender).length;
  }

  fund(asset: AssetId, holder: Hex, units: bigint): void {
    this.initialBalances.push({ asset, holder, units });
    this.current.balances.fund(this.deployment.tokens[asset], holder, units);
  }

  /** Adds a transaction to the pool by the rules of a real node. */
  take(transaction: PooledTransaction): Broadcast {
    const { hash, sender, nonce } = transaction;
    if (this.minedIn.has(hash) || this.pool.has(hash)) return { outcome: 'taken' };
    if (nonce < this.current.nonceOf(sender))
      return { outcome: 'refused', reason: 'nonce-used', message: 'nonce too low' };
    const rival = [...this.pool.values()].find((other) => other.sender === sender && other.nonce === nonce);
    if (rival && replaces(transaction, rival)) this.pool.delete(rival.hash);
    else if (rival)
      return { outcome: 'refused', reason: 'fee-too-low', message: 'replacement transaction underpriced' };
    this.pool.set(hash, transaction);
    return { outcome: 'taken' };
  }

  /** Mines until nothing more can be mined, with one transaction per block. */
  mineAll(): void {
    while (this.nextMinable(this.head.number + 1) !== undefined) this.mine(1);
  }

  /** Mines one block with at most that many transactions. */
  mine(most = Number.POSITIVE_INFINITY): void {
    const number = this.head.number + 1;
    const mined: Array<SimulatedBlock['transactions'][number]> = [];
    for (
      let next = this.nextMinable(number);
      next !== undefined && mined.length < most;
      next = this.nextMinable(number)
    ) {
      this.pool.delete(next.hash);
      mined.push({ ...next, ...this.current.execute(next, number) });
    }
    const block = this.blockOf(number, mined);
    this.blocks.push(block);
    for (const { hash } of mined) this.minedIn.set(hash, block);
    this.feed.push(block);
  }

  reorg(depth: number, transactions: 'repooled' | 'forgotten'): void {
    const dropped = this.blocks.splice(Math.max(1, this.blocks.length - depth));
    this.fork += 1;
    this.rebuild();
    for (const transaction of dropped.flatMap((block) => block.transactions)) {
      if (transactions === 'repooled') this.pool.set(transaction.hash, { ...transaction, notBefore: 0 });
    }
    this.feed.push(this.head);
  }

  forget(): void {
    this.pool.clear();
    this.reorg(this.blocks.length, 'forgotten');
  }

  private nextMinable(blockNumber: number): PooledTransaction | undefined {
    for (const transaction of this.pool.values()) {
      if (transaction.nonce === this.current.nonceOf(transaction.sender) && transaction.notBefore <= blockNumber)
        return transaction;
    }
    return undefined;
  }

  private blockOf(number: number, transactions: SimulatedBlock['transactions']): SimulatedBlock {
    const hash: Hex = `0x${createHash('sha256').update(`${this.chain}/${number}/${this.fork}`).digest('hex')}`;
    return { number, hash, time: this.now(), transactions };
  }

  private rebuild(): void {
    this.current = new SimulatedState(this.deployment, this.roles);
    this.minedIn.clear();
    for (const { asset, holder, units } of this.initialBalances)
      this.current.balances.fund(this.deployment.tokens[asset], holder, units);
    for (const block of this.blocks) {
      for (const transaction of block.transactions) {
        this.current.execute(transaction, block.number);
        this.minedIn.set(transaction.hash, block);
      }
    }
  }
}

/** The replacement rule of nodes: both fees must be at least 10 % higher. */
const replaces = (one: SimulatedTransaction, rival: SimulatedTransaction): boolean =>
  one.maxFeePerGas * 10n >= rival.maxFeePerGas * 11n &&
  one.maxPriorityFeePerGas * 10n >= rival.maxPriorityFeePerGas * 11n;
