import type { TokenMovementPurpose, TransactionPurpose, TreasuryReservation } from '@ponte/contracts';
import type { AssetId, Chain } from '@ponte/kernel';
import { treasuryWalletId } from '../wallet/wallet.decider';
import type { Hex } from '../chain/chain.port';
import type { TreasuryChain, TreasuryReservations } from './treasury-reservations';

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
 * What the treasury wallet of one chain can still pay. What is set aside is recorded, and the same for all processes;
 * what waits is kept in memory, for an operator.
 */
export class TreasuryFunds {
  private readonly waiting = new Map<string, { readonly asset: AssetId; readonly seenAt: number }>();

  constructor(
    private readonly evm: TreasuryChain,
    private readonly reservations: TreasuryReservations,
    private readonly now: () => number,
  ) {}

  /**
   * Sets aside what it can, in this order, and answers the ids of those payments. Rejects with `Unavailable` when the
   * node or the store does not answer.
   */
  async reserve(requests: readonly PaymentRequest[]): Promise<ReadonlySet<string>> {
    const chosen = new Set<string>();
    for (const asset of new Set(requests.map(({ purpose }) => purpose.asset))) {
      const ofAsset = requests.filter(({ purpose }) => purpose.asset === asset).map(reservationOf);
      for (const id of await this.reservations.reserve(this.evm, asset, ofAsset)) chosen.add(id);
    }
    for (const id of chosen) this.waiting.delete(id);
    return chosen;
  }

  /** Signed bytes that a block had once, and that go out again: their amount is set aside until a block has them. */
  restore(request: PaymentRequest, sent: { readonly from: Hex; readonly nonce: number }): Promise<void> {
    return this.reservations.restore(this.evm, request.purpose.asset, reservationOf(request), sent);
  }

  /** Given up: nothing waits. */
  forget(transactionId: string): void {
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
}

const reservationOf = ({ transactionId, purpose: { amount } }: PaymentRequest): TreasuryReservation => ({
  transactionId,
  amount,
});
