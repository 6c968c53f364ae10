import type { TokenMovementPurpose, TransactionPurpose } from '@ponte/contracts';
import type { AssetId, Chain } from '@ponte/kernel';
import { unitsOf } from '../domain/mint/mint';
import { saltOf, treasuryWalletId } from '../domain/wallet/wallet';
import type { EvmChain, Hex } from '../ports/chain';

/** Where the bytes of a payment are in the line of their key. */
export interface SentAs {
  readonly sender: Hex;
  readonly nonce: number;
}

/** A payment of the treasury that was decided on and may not be in a block yet. */
interface Commitment {
  readonly asset: AssetId;
  readonly units: bigint;
  /** Null until it is signed. */
  readonly sentAs: SentAs | null;
}

/** A payment that the treasury is asked for. */
export interface PaymentRequest {
  readonly transactionId: string;
  readonly purpose: TokenMovementPurpose;
}

/** Payments that the treasury cannot make now, counted for an operator. */
export interface WaitingPayments {
  readonly asset: AssetId;
  readonly count: number;
}

/** A payment that no round has come back to within this time has been dealt with by another process, milliseconds. */
const SEEN_MS = 60_000;

/** Whether a transaction pays dollar tokens out of the treasury wallet of its chain. */
export const isTreasuryPayment = (chain: Chain, purpose: TransactionPurpose): purpose is TokenMovementPurpose =>
  purpose.kind === 'token-movement' && purpose.walletIds.includes(treasuryWalletId(chain));

/**
 * What the treasury wallet of one chain can still pay: its balance without what was committed and is in no block yet.
 * Kept in memory: after a
 * restart the rounds over unfinished transactions tell of the commitments again. Two processes may commit the same
 * tokens in the same moment; then
 * the contract reverts one of the payments, and nothing is moved.
 */
export class TreasuryFunds {
  private readonly committed = new Map<string, Commitment>();
  private readonly waiting = new Map<string, { readonly asset: AssetId; readonly seenAt: number }>();
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly evm: Pick<EvmChain, 'chain' | 'walletAddress' | 'tokenBalance' | 'nextNonce'>,
    private readonly now: () => number,
  ) {}

  /**
   * Sets aside what it can, in this order, and answers the ids of those payments. One at a time, so that no two
   * callers get the same tokens. Rejects
   * with `Unavailable` when the node does not answer.
   */
  reserve(requests: readonly PaymentRequest[]): Promise<ReadonlySet<string>> {
    const turn = this.last.then(() => this.choose(requests));
    this.last = turn.catch(() => undefined);
    return turn;
  }

  /** The payment will be made or has been sent: its amount is set aside until a block has it. */
  commit({ transactionId, purpose: { asset, amount } }: PaymentRequest, sentAs: SentAs | null): void {
    this.waiting.delete(transactionId);
    this.committed.set(transactionId, { asset, units: unitsOf(asset, amount), sentAs });
  }

  /** Given up: nothing is set aside, and nothing waits. */
  forget(transactionId: string): void {
    this.committed.delete(transactionId);
    this.waiting.delete(transactionId);
  }

  /** Notes that a payment waits. True when it was not known to. */
  wait(transactionId: string, asset: AssetId): boolean {
    const isNew = !this.waiting.has(transactionId);
    this.waiting.set(transactionId, { asset, seenAt: this.now() });
    return isNew;
  }

  /** Of each token of which a payment waits. */
  waitingPayments(): readonly WaitingPayments[] {
    const since = this.now() - SEEN_MS;
    const counts = new Map<AssetId, number>();
    for (const { asset, seenAt } of this.waiting.values())
      if (seenAt >= since) counts.set(asset, (counts.get(asset) ?? 0) + 1);
    return [...counts].map(([asset, count]) => ({ asset, count }));
  }

  private async choose(requests: readonly PaymentRequest[]): Promise<ReadonlySet<string>> {
    const chosen = new Set<string>();
    if (requests.length === 0) return chosen;
    // Before the balance is read: one that is mined in between counts twice, and never not at all.
    await this.dropMined();
    // One that is asked for again was not recorded, so what it set aside is free again.
    for (const { transactionId } of requests) this.committed.delete(transactionId);
    const free = new Map<AssetId, bigint>();
    for (const asset of new Set(requests.map(({ purpose }) => purpose.asset)))
      free.set(asset, await this.freeOf(asset));
    for (const request of requests) {
      const { asset, amount } = request.purpose;
      const left = (free.get(asset) ?? 0n) - unitsOf(asset, amount);
      if (left < 0n) continue;
      free.set(asset, left);
      this.commit(request, null);
      chosen.add(request.transactionId);
    }
    return chosen;
  }

  private async freeOf(asset: AssetId): Promise<bigint> {
    const treasury = this.evm.walletAddress(saltOf(treasuryWalletId(this.evm.chain)));
    const balance = await this.evm.tokenBalance(asset, treasury);
    return [...this.committed.values()].reduce((left, one) => (one.asset === asset ? left - one.units : left), balance);
  }

  private async dropMined(): Promise<void> {
    const senders = new Set([...this.committed.values()].flatMap(({ sentAs }) => (sentAs ? [sentAs.sender] : [])));
    for (const sender of senders) {
      const minedCount = await this.evm.nextNonce(sender, 'latest');
      for (const [transactionId, { sentAs }] of this.committed)
        if (sentAs?.sender === sender && sentAs.nonce < minedCount) this.committed.delete(transactionId);
    }
  }
}
