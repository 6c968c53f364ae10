import { isoTime } from '@ponte/kernel';
import type { Trace } from './chain-transactions';
import type { KeyOnChain } from './pending-transactions.read-model';
import type { WatcherServices } from './watcher-services';

/** How many transactions a node keeps for a sender whose first nonce it waits for. */
const RAISED_A_ROUND = 64;

/**
 * Raises the fees of transactions that have been unmined for too long: always of the key's first one, and of later ones
 * when current fees are higher than those that they offer.
 */
export async function raiseWaitingFees(
  { pending, sender, settings: { raiseFeeAfterMs }, clock }: WatcherServices,
  keyId: string,
  key: KeyOnChain,
): Promise<void> {
  const before = isoTime(clock.now() - raiseFeeAfterMs);
  for (const { id, nonce, correlationId } of await pending.unmined(key, before, RAISED_A_ROUND)) {
    if (nonce === null) continue;
    const trace: Trace = { correlationId, actor: 'chain-watcher' };
    const { outcome } = await sender.raiseFee(key.chain, [keyId], id, trace, nonce === key.minedCount);
    if (outcome === 'cap-reached') return;
  }
}
