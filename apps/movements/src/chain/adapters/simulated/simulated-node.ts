import { type AssetId, type Chain, Unavailable } from '@ponte/kernel';
import type { Broadcast, BroadcastRefusal, Hex } from '../../chain.port';
import { DeployedContracts } from '../deployed-contracts';
import type { Deployment } from '../deployment';
import { SimulatedBlocks } from './simulated-blocks';
import { simulatedDeployment } from './simulated-deployment';
import { simulatedTransactionOf } from './simulated-transaction';

/** A fault of one broadcast. Faults apply in the order in which they were scripted. */
type ChainFault =
  /** The node reports that it took the bytes, but forgets them. */
  | { readonly kind: 'drop' }
  /** Mined, but reverted. */
  | { readonly kind: 'revert' }
  /** The transaction waits in the pool for this many more blocks. */
  | { readonly kind: 'delay'; readonly blocks: number }
  /** The reply is lost, whether or not the bytes arrived. */
  | { readonly kind: 'unknown'; readonly arrived: boolean }
  | { readonly kind: 'refuse'; readonly reason: BroadcastRefusal };

export interface SimulatedChainOptions {
  readonly chain: Chain;
  /** Mines every transaction at once in its own block. Otherwise only `mine` makes blocks. */
  readonly instant?: boolean;
  /** Confirmations after which a block is final. */
  readonly finality?: number;
  /** Clock for block times, epoch ms. */
  readonly now?: () => number;
  readonly deployment?: Deployment;
}

/** The node of a simulated chain. It takes and mines transactions, and simulates faults on request. */
export abstract class SimulatedNode extends DeployedContracts {
  protected readonly finality: number;
  protected readonly blocks: SimulatedBlocks;
  private readonly instant: boolean;
  private readonly faults: ChainFault[] = [];
  private reachable = true;

  constructor({
    chain,
    instant = true,
    finality = 1,
    now = Date.now,
    deployment = simulatedDeployment(chain),
  }: SimulatedChainOptions) {
    super(deployment);
    this.instant = instant;
    this.finality = finality;
    this.blocks = new SimulatedBlocks(chain, deployment, now);
  }

  /** Queues faults for the next broadcasts. */
  script(...faults: readonly ChainFault[]): void {
    this.faults.push(...faults);
  }

  /** While the node is unreachable, reads reject, and broadcasts are unknown and do not arrive. */
  setReachable(reachable: boolean): void {
    this.reachable = reachable;
  }

  /** Gives a holder units that are not part of any block, so that a reorg does not remove them (a treasury's USDC). */
  fund(asset: AssetId, holder: Hex, units: bigint): void {
    this.blocks.fund(asset, holder, units);
  }

  /** Grants or revokes the operator role of an address, in a new block. */
  setOperator(address: Hex, isOperator: boolean): void {
    this.blocks.roles.change(address, isOperator, this.blocks.head.number + 1);
    this.mine();
  }

  /** Mines blocks: the first with all that can be mined, the others with transactions whose delay has passed. */
  mine(blocks = 1): void {
    for (let i = 0; i < blocks; i += 1) this.blocks.mine();
  }

  /** Removes the newest blocks. Their transactions return to the pool, or are lost as some nodes lose them. */
  reorg(depth: number, transactions: 'repooled' | 'forgotten'): void {
    this.blocks.reorg(depth, transactions);
  }

  /** Simulates a node that lost its data: only the initial balances are left. */
  forget(): void {
    this.blocks.forget();
  }

  async broadcast(raw: Hex): Promise<Broadcast> {
    const fault = this.faults.shift();
    if (!this.reachable) return { outcome: 'unknown', message: 'the node did not answer' };
    if (fault?.kind === 'refuse') return { outcome: 'refused', reason: fault.reason, message: 'scripted' };
    if (fault?.kind === 'drop') return { outcome: 'taken' };
    if (fault?.kind === 'unknown' && !fault.arrived)
      return { outcome: 'unknown', message: 'scripted: lost on the way' };
    const transaction = await simulatedTransactionOf(raw, this.chainId);
    if (transaction === undefined)
      return { outcome: 'refused', reason: 'invalid', message: 'not a transaction of this chain' };
    const outcome = this.blocks.take({
      ...transaction,
      revert: fault?.kind === 'revert',
      notBefore: fault?.kind === 'delay' ? this.blocks.head.number + fault.blocks + 1 : 0,
    });
    if (this.instant) this.blocks.mineAll();
    return fault?.kind === 'unknown' ? { outcome: 'unknown', message: 'scripted: the reply was lost' } : outcome;
  }

  /** Rejects with `Unavailable` while the node is not reachable. */
  protected async answer<T>(read: () => T): Promise<T> {
    if (!this.reachable) throw new Unavailable('chain-unavailable', 'the node did not answer');
    return read();
  }
}
