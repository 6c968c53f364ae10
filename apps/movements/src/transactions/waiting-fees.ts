import { isoTime } from '@ponte/kernel';
import type { Trace } from './chain-transactions.service';
import type { KeyOnChain } from './pending-transactions.read-model';
import type { WatcherServices } from './watcher-services.service';

/** How many transactions a node keeps for a sender whose first nonce it waits for. */
const RAISED_PER_ROUND = 64;

/** Raises the fees of the transactions of one key and chain that have been unmined for too long. */
export class WaitingFees {
  private head: number | undefined;
  /** The head at the last raise, or the first head that was seen. */
  private headAtRaise: number | undefined;

  constructor(
    private readonly services: Pick<WatcherServices, 'pending' | 'sender' | 'settings' | 'clock'>,
    private readonly keyId: string,
  ) {}

  /** Call with the number of each new head. */
  onHead(number: number): void {
    this.head = number;
    // A lower head shows that a reorg removed that one, or that a node made it up: it must refuse no raises.
    if (this.headAtRaise === undefined || number < this.headAtRaise) this.headAtRaise = number;
  }

  /**
   * Raises always the key's first transaction, and later ones when current fees are higher than those that they offer.
   * Raises none while the chain has mined no block since the last raise: no fee helps while a chain stands still.
   */
  async round(key: KeyOnChain): Promise<void> {
    const { pending, sender, settings, clock } = this.services;
    const { head } = this;
    if (head === undefined || this.headAtRaise === undefined || head <= this.headAtRaise) return;
    const before = isoTime(clock.now() - settings.raiseFeeAfterMs);
    for (const { id, nonce, correlationId } of await pending.unmined(key, before, RAISED_PER_ROUND)) {
      if (nonce === null) continue;
      const trace: Trace = { correlationId, actor: 'chain-watcher' };
      const { outcome } = await sender.raiseFee(key.chain, [this.keyId], id, trace, nonce === key.minedCount);
      if (outcome === 'raised') this.headAtRaise = head;
      if (outcome === 'cap-reached' || outcome === 'no-gas-money') return;
    }
  }
}
